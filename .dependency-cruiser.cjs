// The layers. Imports run one way, downwards; each rule's comment names what to import instead. Type-only imports count
// as well: a type from a forbidden place is still knowledge of that place.
const TOP = "^(main|db|preload|renderer|test|scripts)/";
const NPM = "(^|/)node_modules/";

/** `from` may import, of our own code, only paths that match one of `allowed`. */
const only = (name, from, allowed, comment) => ({
  name,
  severity: "error",
  comment,
  from: { path: from },
  to: { path: TOP, pathNot: allowed },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      comment: "Move what both need into a file below them.",
      from: {},
      to: { circular: true },
    },
    {
      name: "nothing-unresolved",
      severity: "error",
      comment: "The import names no file and no installed package.",
      from: {},
      to: { couldNotResolve: true },
    },

    only(
      "domain-imports-nothing",
      "^main/domain/",
      ["^main/domain/"],
      "Take the value as an argument, or declare a port in main/domain/ports.",
    ),
    {
      name: "domain-is-pure",
      severity: "error",
      comment:
        "No Node modules in main/domain (only hashing.ts and the SSH signatures may use node:crypto, whose createHash, sign and verify are pure). Declare a port, implement it in main/adapters.",
      from: { path: "^main/domain/", pathNot: "^main/domain/(hashing|sshsig|ssh-wire)\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "domain-hashing-only-crypto",
      severity: "error",
      comment: "main/domain/hashing.ts and the SSH signatures may use node:crypto and no other Node module.",
      from: { path: "^main/domain/(hashing|sshsig|ssh-wire)\\.ts$" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "domain-few-packages",
      severity: "error",
      comment: "main/domain may use the packages canonicalize and zod only.",
      from: { path: "^main/domain/" },
      to: { path: NPM, pathNot: "node_modules/(canonicalize|zod)/" },
    },
    only(
      "db-imports-domain",
      "^db/",
      ["^db/", "^main/domain/"],
      "db knows main/domain only; whoever calls it passes the rest in.",
    ),
    only(
      "adapters-import-domain",
      "^main/adapters/",
      ["^main/adapters/", "^main/domain/"],
      "An adapter implements a port of main/domain and knows nobody else.",
    ),
    only(
      "evidence-imports-domain",
      "^main/evidence/",
      ["^main/evidence/", "^main/domain/"],
      "Evidence gets its rows passed in; take types from main/domain.",
    ),
    only(
      "engine-imports-domain-and-db",
      "^main/engine/",
      ["^main/engine/", "^main/domain/", "^db/"],
      "The engine knows no pipeline and no adapter; take a port from main/domain/ports.",
    ),
    only(
      "pipeline-imports-domain-and-engine",
      "^main/pipeline/",
      ["^main/pipeline/", "^main/domain/", "^main/engine/"],
      "A pipeline is a definition given to the engine; ports come from main/domain.",
    ),
    only(
      "commands-import-domain-db-engine",
      "^main/commands/(?!views/)",
      ["^main/commands/", "^main/domain/", "^main/engine/", "^db/"],
      "A command writes through db/journal; outside effects are the engine's.",
    ),
    only(
      "views-import-domain-db-contract",
      "^main/commands/views/",
      ["^main/commands/", "^main/domain/", "^db/", "^preload/contract(\\.ts$|/)"],
      "A view turns read models into the contract's replies; it writes nothing and calls nobody.",
    ),
    only(
      "sandbox-imports-domain",
      "^main/sandbox/",
      ["^main/sandbox/", "^main/domain/"],
      "The sandbox stands for an outside system: it knows main/domain only.",
    ),
    only(
      "simulation-drives-the-inside",
      "^main/simulation/",
      ["^main/(simulation|domain|engine|pipeline|commands|adapters|sandbox)/", "^db/"],
      "The simulation brings its own outside to the real inside; it knows no window and no wiring of the app.",
    ),
    {
      name: "simulation-only-headless",
      severity: "error",
      comment:
        "What switches guards off must not come near the app: only main/headless and tests import main/simulation.",
      from: { path: "^(main|db|preload|renderer)/", pathNot: "^main/(simulation|headless)/" },
      to: { path: "^main/simulation/" },
    },
    {
      name: "sandbox-only-from-compose-and-cli",
      severity: "error",
      comment: "Only main/compose.ts, main/cli.ts and tests may start the sandbox.",
      from: {
        path: "^(main|db|preload|renderer)/",
        pathNot: "^main/(sandbox/|compose\\.ts$|compose/|headless/|cli\\.ts$)",
      },
      to: { path: "^main/sandbox/" },
    },
    only(
      "shell-imports-no-pipeline",
      "^main/shell/",
      ["^main/(?!pipeline/|index\\.ts$|cli\\.ts$)", "^db/", "^preload/contract(\\.ts$|/)", "^preload/channels\\.ts$"],
      "The shell calls main/commands and db/queries; the pipeline is composed in main/compose.ts.",
    ),
    {
      name: "only-index-imports-shell",
      severity: "error",
      comment: "Only main/index.ts imports main/shell; pass what you need as an argument or a port.",
      from: { path: "^(main|db|preload|renderer)/", pathNot: "^main/(shell/|index\\.ts$)" },
      to: { path: "^main/shell/" },
    },
    {
      name: "only-shell-imports-electron",
      severity: "error",
      comment: "Only main/shell, main/index.ts and preload import electron; everything else also runs on plain Node.",
      from: { path: "^(main|db|renderer|preload)/", pathNot: "^(main/shell/|main/index\\.ts$|preload/index\\.ts$)" },
      to: { path: "(^|/)node_modules/electron/|^electron$" },
    },
    {
      name: "compose-imports-no-entry",
      severity: "error",
      comment:
        "main/compose.ts builds and wires; it is imported by main/index.ts and main/cli.ts, not the other way round.",
      from: { path: "^main/compose(\\.ts$|/)" },
      to: { path: "^main/(shell/|index\\.ts$|cli\\.ts$)|^renderer/" },
    },
    {
      name: "nobody-imports-entries",
      severity: "error",
      comment:
        "main/index.ts, main/cli.ts and preload/index.ts are where programs start; move what you need into a file of its own.",
      from: { path: "^(main|db|preload|renderer)/" },
      to: { path: "^(main/index|main/cli|preload/index)\\.ts$" },
    },
    only(
      "preload-imports-contract",
      "^preload/",
      ["^preload/", "^main/domain/"],
      "The preload carries the contract and the list of channels, nothing else.",
    ),
    only(
      "renderer-imports-contract",
      "^renderer/",
      ["^renderer/", "^preload/contract(\\.ts$|/)"],
      "The renderer knows preload/contract.ts only; ask for data through renderer/bridge.ts.",
    ),
    {
      name: "renderer-uses-no-node",
      severity: "error",
      comment: "The renderer runs in a sandboxed page; ask the main process through renderer/bridge.ts.",
      from: { path: "^renderer/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "product-imports-no-tests",
      severity: "error",
      comment: "Nothing that ships may import tests or scripts.",
      from: { path: "^(main|db|preload|renderer)/" },
      to: { path: "^(test|scripts)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^main/sandbox/samples/|^test/fixtures/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};
