// Checks a Kubernetes manifest against the schema of the API: check-manifest.mjs MANIFEST FOLDER
// FOLDER has the packages kubernetes-models, js-yaml, and typescript in node_modules. The validators of kubernetes-models check values, but ignore
// names that they don't know, as a server does without strict validation. So the types of the package check the names.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [manifest, folder] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), "package.json"));
const objects = require("js-yaml").loadAll(readFileSync(manifest, "utf8"));
const types = objects.map(object => `kubernetes-models/${object.apiVersion}/${object.kind}`);

const work = mkdtempSync(join(resolve(folder), "check-"));
try {
  objects.forEach((object, i) => new (require(types[i])[object.kind])(object).validate());
  const lines = objects.map((object, i) => `import type { I${object.kind} as T${i} } from "${types[i]}";\nexport const o${i}: T${i} = ${JSON.stringify(object, null, 1)};`);
  writeFileSync(join(work, "manifest.ts"), lines.join("\n"));
  const tsc = require.resolve("typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--moduleResolution", "nodenext", join(work, "manifest.ts")], { encoding: "utf8" });
  console.log(`${manifest}: ${objects.length} objects`);
} catch (error) {
  console.error(error.stdout ?? error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true });
}
