// Bundle the extension and the library that it uses into dist/extension.js, and put the licence of Setpoint and those of the
// bundled packages where the package has them.

import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { metafile } = await build({
  entryPoints: ['src/extension.js'],
  outfile: 'dist/extension.js',
  bundle: true,
  external: ['vscode'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  metafile: true,
});

/** The folder of the package that a bundled file belongs to: `node_modules/semver`. */
const packageOf = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

const folders = [...new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean))].sort();
const notices = folders.map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) {
    throw new Error(`${name} has no text of its licence`);
  }
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()}\n`;
});
writeFileSync('dist/NOTICES.txt', notices.join(`\n${'-'.repeat(72)}\n\n`));
copyFileSync('../../../LICENSE', 'LICENSE');
