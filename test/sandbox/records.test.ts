import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SandboxInUse } from "../../main/sandbox/address";
import { call, campaign, clockAt, fault, later, post, records, samplesDir, sandbox, temporaryDir } from "./world";

describe("the sandbox's records", () => {
  it("go on after a restart: objects, counts, faults, configuration, port", async () => {
    const dir = temporaryDir();
    const first = await sandbox({ dir, config: { visibilityDelayMs: 0, staleProbes: 1 } });
    await call("POST", `${first.url}/cms/posts`, post());
    await call("POST", `${first.url}/mail/campaigns`, campaign(3));
    await call("POST", `${first.url}/mail/campaigns/930/trigger`, { key: "t" });
    await fault(first.url, { on: "cms.create", fault: "drop-before-commit", times: 2, skip: 1 });
    await call("POST", `${first.url}/cms/posts`, post({ key: "second" }));
    await call("POST", `${first.url}/cms/posts`, post({ key: "lost" })).catch(() => undefined);
    const before = await records(first.url);
    await first.close();

    const second = await sandbox({ dir });
    expect(second.url).toBe(first.url);
    expect(await records(second.url)).toEqual(before);
    expect((await call("GET", `${second.url}/control/config`)).body).toMatchObject({ visibilityDelayMs: 0 });
    expect((await call("GET", `${second.url}/control/faults`)).body.rules).toMatchObject([{ skipped: 1, fired: 1 }]);
    await call("POST", `${second.url}/cms/posts`, post({ key: "lost" })).catch(() => undefined);
    expect((await call("POST", `${second.url}/cms/posts`, post({ key: "third" }))).body.id).toBe(18429);
    expect((await call("GET", `${second.url}/site/${post().slug}`)).status).toBe(404);
    expect((await call("GET", `${second.url}/site/${post().slug}`)).status).toBe(200);
  });

  it("carry out after a restart what was cut off before it", async () => {
    const dir = temporaryDir();
    const first = await sandbox({ dir });
    await fault(first.url, { on: "cms.create", fault: "commit-later", params: { ms: 4000 } });
    await call("POST", `${first.url}/cms/posts`, post()).catch(() => undefined);
    await first.close();
    const second = await sandbox({ dir });
    expect((await records(second.url, clockAt(3000))).cms.objects).toHaveLength(0);
    expect((await records(second.url, clockAt(4000))).cms.objects).toHaveLength(1);
    expect((await records(second.url, clockAt(9000))).cms.objects).toHaveLength(1);
  });

  it("lose a torn last line and nothing else, and say so", async () => {
    const dir = temporaryDir();
    const first = await sandbox({ dir });
    await call("POST", `${first.url}/cms/posts`, post());
    await first.close();
    appendFileSync(join(dir, "records.jsonl"), '{"type":"post-created","post":{"id":184');
    const second = await sandbox({ dir });
    expect(second.cutBytes).toBe(39);
    expect((await records(second.url)).cms.objects).toHaveLength(1);
    await call("POST", `${second.url}/cms/posts`, post({ key: "next" }));
    await second.close();
    const third = await sandbox({ dir });
    expect(third.cutBytes).toBe(0);
    expect((await records(third.url)).cms.objects).toHaveLength(2);
  });

  it("are not begun anew over a damaged line", async () => {
    const dir = temporaryDir();
    const first = await sandbox({ dir });
    await call("POST", `${first.url}/cms/posts`, post());
    await first.close();
    const path = join(dir, "records.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").replace('{"type":"post-created"', '{"type":"post-cre'));
    await expect(sandbox({ dir })).rejects.toThrow(/line \d+ of .* is damaged/);
    writeFileSync(path, '{"type":"from-a-newer-version"}\n');
    await expect(sandbox({ dir })).rejects.toThrow("unknown kind of record");
  });

  it("are kept by one sandbox at a time", async () => {
    const dir = temporaryDir();
    const first = await sandbox({ dir });
    await expect(sandbox({ dir })).rejects.toThrow(SandboxInUse);
    await expect(sandbox({ dir })).rejects.toMatchObject({ url: first.url });
    await first.close();
    await sandbox({ dir });
  });

  it("are one history when two start at the same moment", async () => {
    const dir = temporaryDir();
    const started = await Promise.allSettled([sandbox({ dir }), sandbox({ dir }), sandbox({ dir })]);
    const winners = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(winners).toHaveLength(1);
    await winners[0]?.close();
    const restarted = await Promise.allSettled([sandbox({ dir }), sandbox({ dir }), sandbox({ dir })]);
    expect(restarted.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  });

  it("hold what was acknowledged, whenever the process is killed", async () => {
    const dir = temporaryDir();
    const { process: child, url } = await startProcess(dir);
    let acknowledged = 0;
    const killed = new Promise((resolve) => child.once("exit", resolve));
    setTimeout(() => child.kill("SIGKILL"), 150);
    for (let number = 0; ; number += 1) {
      const reply = await call("POST", `${url}/cms/posts`, post({ key: `k${number}` })).catch(() => null);
      if (reply === null) break;
      acknowledged += 1;
    }
    await killed;
    expect(acknowledged).toBeGreaterThan(0);
    const again = await sandbox({ dir });
    const { objects } = (await records(again.url)).cms;
    // The one in flight may be there too: it was written, and its answer died with the process.
    expect([acknowledged, acknowledged + 1]).toContain(objects.length);
    expect(new Set(objects.map((object: { id: number }) => object.id)).size).toBe(objects.length);
  });
});

/** A sandbox in a process of its own, which can be killed. */
async function startProcess(dir: string): Promise<{ process: ChildProcess; url: string }> {
  const script = `
    import { createServer } from "vite";
    const vite = await createServer({ configFile: false, logLevel: "error", server: { middlewareMode: true, hmr: false }, optimizeDeps: { noDiscovery: true } });
    const { startSandbox } = await vite.ssrLoadModule("/main/sandbox/start-sandbox.ts");
    const started = await startSandbox(${JSON.stringify({ dir, samplesDir })});
    console.log(started.url);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  later(() => void child.kill("SIGKILL"));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (bytes: Buffer) => resolve(bytes.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  return { process: child, url };
}
