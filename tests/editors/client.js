/**
 * The packaged extension, with the client library of VS Code in it (vscode-languageclient), and the server `setpoint lsp`.
 *
 *   node client.js EXTENSION FOLDER SETPOINT
 *
 * EXTENSION is the unpacked package, FOLDER an empty folder, and SETPOINT the program. `test_extension.py` runs it.
 */

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const test = require('node:test');
const { editor } = require('./stand_in.js');

const [extension, place, setpoint] = process.argv.slice(2);

const POLICY = 'goal latency; cpu westmere; workload comm-bound;\n';
const INSTALL = "pipx install '.[lsp]'";

/** The module `vscode` of the running test. */
let current;
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? current : load(name, ...rest));

/** Start the extension in an editor of its own. It ends with the test, or with `stop`. */
async function started(context, options = {}) {
  const folder = fs.mkdtempSync(path.join(place, 'site-'));
  const vscode = (current = editor(folder, { configuration: { 'setpoint.path': setpoint }, ...options }));
  const subscriptions = [];
  const { activate, deactivate } = fresh(path.join(extension, 'dist/extension.js'));
  const stop = async () => {
    await deactivate();
    for (const each of subscriptions.splice(0).reverse()) {
      each.dispose();
    }
  };
  context.after(stop);
  await activate({ subscriptions });
  return { vscode, folder, stop, session: fresh('./session.js'), run: vscode.commands.executeCommand };
}

function fresh(name) {
  delete require.cache[require.resolve(name)];
  return require(name);
}

/** A program in place of `setpoint`. */
function program(text) {
  const file = path.join(fs.mkdtempSync(path.join(place, 'bin-')), 'setpoint');
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return { 'setpoint.path': file };
}

function git(folder, ...words) {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false', ...words], { cwd: folder });
}

test('a policy is repaired, explained, completed, formatted, planned and reviewed, and the server ends', async (context) => {
  const { vscode, folder, stop, session, run } = await started(context);
  const document = await session.repair(folder);

  // Show Plan saves the policy, and shows its page: nothing is loaded, no script runs, and the styles are those of its head.
  await run('setpoint.showPlan');
  const [panel] = vscode.shown.panels;
  assert.equal(panel.title, 'Plan of web.tune');
  const { enableScripts, enableCommandUris, localResourceRoots } = panel.options;
  assert.deepEqual([enableScripts, enableCommandUris, localResourceRoots], [false, false, []]);
  const page = panel.webview.html;
  const [, style] = /<style>([^]*?)<\/style>/.exec(page);
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  assert.ok(page.includes(`<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`));
  assert.match(page, /C-States/);

  // It follows the policy.
  git(folder, 'init', '-q');
  git(folder, 'add', 'web.tune');
  git(folder, 'commit', '-qm', 'first');
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 5, 0, 12), 'performance');
  await vscode.workspace.applyEdit(edit);
  await document.save();
  await session.until(() => panel.webview.html.includes('<td>performance</td>'));

  // What differs from the last commit stands above the first statement, and the comment of a review is a preview.
  const [lens] = await run('vscode.executeCodeLensProvider', document.uri, 5);
  assert.match(lens.command.title, /^\d+ values changed since the last commit: /);
  await run(lens.command.command, ...lens.command.arguments);
  const [message] = await session.until(() => vscode.shown.information.length && vscode.shown.information);
  assert.match(message, /-> /);
  await run('setpoint.compareWithHead');
  assert.match(vscode.shown.previews[0], /^\*\*Setpoint:\*\* 1 policy changes: \d+ values/);

  await run('setpoint.openReport');
  assert.match(vscode.shown.information.at(-1), /no report in this workspace/);
  execFileSync(setpoint, ['compile', 'web.tune', '--target', 'report', '-o', 'out'], { cwd: folder, stdio: 'ignore' });
  fs.writeFileSync(path.join(folder, 'report.html'), '<html><head></head>of something else');
  await run('setpoint.openReport');
  const report = vscode.shown.panels.at(-1);
  assert.equal(report.title, path.join('out', 'report.html'));
  assert.equal(report.options.enableScripts, false);
  const [, body] = fs.readFileSync(path.join(folder, 'out/report.html'), 'utf8').split('</head>');
  assert.ok(report.webview.html.endsWith(body) && report.webview.html.includes('Content-Security-Policy'));

  assert.deepEqual(vscode.shown.errors, []);
  await stop();
  const ended = await session.until(() => vscode.shown.log.find((each) => each.startsWith('Server process exited')));
  assert.equal(ended, 'Server process exited successfully');
});

test('a program that is missing, or lacks the library of the server, is one message that says what to install', async (context) => {
  const missing = await started(context, { configuration: { 'setpoint.path': '/nowhere/setpoint' } });
  const [message, ...others] = missing.vscode.shown.errors;
  assert.ok(message.startsWith('Setpoint: `/nowhere/setpoint` could not be started. Install it') && message.includes(INSTALL));
  assert.deepEqual(others, []);

  const library = "error: the language server needs the library pygls\nhelp: from a checkout: `pipx install '.[lsp]'`";
  const configuration = program(`cat >&2 <<'E'\n${library}\nE\nexit 4`);
  const lacking = await started(context, { configuration });
  assert.deepEqual(lacking.vscode.shown.errors, [
    `Setpoint: the language server did not start. ${library.replace('\n', ' ')}`,
  ]);
});

test('a server that dies is started again, but not for ever', async (context) => {
  const starts = path.join(place, 'starts');
  const configuration = program(`echo $$ >>'${starts}'; exec '${setpoint}' "$@"`);
  const { vscode, session } = await started(context, { configuration });
  for (let died = 1; died <= 5; died += 1) {
    const running = await session.until(() => fs.readFileSync(starts, 'utf8').split('\n').at(died - 1));
    await session.until(() => vscode.shown.log.filter((each) => each.endsWith(' is running')).length === died);
    process.kill(Number(running), 'SIGKILL');
  }
  assert.deepEqual(await session.until(() => vscode.shown.errors.length && vscode.shown.errors), [
    'Setpoint: the language server has ended five times in three minutes, and is not started again.',
  ]);
});

test('in a workspace that is not trusted, no program is run until it is', async (context) => {
  const marker = path.join(place, 'was-run');
  const configuration = program(`touch '${marker}'`);
  const { vscode, session } = await started(context, { configuration, isTrusted: false });
  assert.ok(!fs.existsSync(marker));
  vscode.trust();
  await session.until(() => fs.existsSync(marker));
});

test('no file name is read as a command or as an option, and errors are those of the command line', async (context) => {
  const { vscode, folder, session, run } = await started(context);
  git(folder, 'init', '-q');
  for (const name of ['$(touch pwned);`touch pwned` "&|.tune', '--help.tune']) {
    await session.opened(folder, name, POLICY);
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'a policy');
    await run('setpoint.showPlan');
    await run('setpoint.compareWithHead');
    assert.equal(vscode.shown.panels.at(-1).title, `Plan of ${name}`);
    assert.match(vscode.shown.panels.at(-1).webview.html, /<!doctype html>/);
    assert.match(vscode.shown.previews.at(-1), /^\*\*Setpoint:\*\* no change/);
  }
  assert.deepEqual(fs.readdirSync(folder).filter((each) => each === 'pwned'), []);

  await session.opened(folder, 'wrong.tune', 'goal trash;\n');
  await run('setpoint.showPlan');
  assert.match(vscode.shown.errors.at(-1), /^Setpoint: error\[E0202\]: /);
});
