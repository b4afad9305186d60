/** The report for a person: each group under its name, one line per number, ratios first as they come. */
export function toText(report: object): string {
  return `${lines(report, 0).join("\n")}\n`;
}

const WIDTH = 28;

function lines(group: object, depth: number): string[] {
  const indent = "  ".repeat(depth);
  return Object.entries(group).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== "object" || value === null) return [`${indent}${name.padEnd(WIDTH - indent.length)} ${value}`];
    const flat = Object.entries(value);
    const isRow = depth > 0 && flat.every(([, member]) => typeof member !== "object");
    if (!isRow) return [`${depth === 0 ? "\n" : ""}${indent}${name}`, ...lines(value, depth + 1)];
    return [
      `${indent}${name.padEnd(WIDTH - indent.length)} ${flat.map(([key, member]) => `${key} ${member}`).join(", ")}`,
    ];
  });
}
