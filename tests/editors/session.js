/**
 * A session in the editor with the extension: a policy with an error is opened, repaired and formatted.
 *
 * It uses the interface of the editor only, so it runs in an extension host of VS Code as it does with the stand-in.
 */

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const POLICY = 'goal latency;   cpu westmere; workload comm-bound;\nset c-states on because "asked for";\n';

const PATIENCE = 30_000; // milliseconds

/** Wait until something is true. */
async function until(found) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const result = await found();
    if (result) {
      return result;
    }
    assert.ok(Date.now() < end, `never: ${found}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const { executeCommand } = vscode.commands;
const errors = (uri) => vscode.languages.getDiagnostics(uri).filter((each) => each.severity === vscode.DiagnosticSeverity.Error);

/** Open a file that has this text; its document, in the active editor. */
async function opened(folder, name, text) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  await vscode.window.showTextDocument(document);
  return document;
}

async function repair(folder) {
  const document = await opened(folder, 'web.tune', POLICY);
  const { uri } = document;
  const [error] = await until(() => errors(uri).length && errors(uri));
  assert.equal(error.code, 'E0401');
  assert.match(error.message, /^hazard `c-states-vs-latency`: C-state transitions lengthened MPI latency/);
  assert.deepEqual([error.range.start.line, error.range.start.character], [1, 0]);

  // The verified repairs come first; the one that is chosen removes the finding.
  const actions = await executeCommand('vscode.executeCodeActionProvider', uri, error.range);
  assert.deepEqual(actions.slice(0, 2).map((each) => each.title), ['drop `set c-states on`', '`set c-states off` instead of on']);
  assert.equal(await vscode.workspace.applyEdit(actions[1].edit), true);
  assert.match(document.getText(), /set c-states off because "";/); // it was asked for, but not this
  const reason = new vscode.WorkspaceEdit();
  reason.insert(uri, new vscode.Position(1, 'set c-states off because "'.length), 'asked for');
  assert.equal(await vscode.workspace.applyEdit(reason), true);
  await until(() => errors(uri).length === 0);

  // The word under the pointer is explained as the plan has it.
  const [hover] = await executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(1, 5));
  assert.match(hover.contents[0].value, /^```text\nc-states = off {4}C-States, firmware, decided /);

  // What this server offers is completed; the editor adds its snippets.
  const behind = new vscode.Position(1, 'set c-states '.length);
  const { items } = await executeCommand('vscode.executeCompletionItemProvider', uri, behind);
  const offered = items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Snippet);
  const labels = offered.map(({ label }) => label.label ?? label);
  assert.deepEqual(labels, ['off', 'on']);

  const edits = await executeCommand('vscode.executeFormatDocumentProvider', uri, { tabSize: 4, insertSpaces: true });
  const formatted = new vscode.WorkspaceEdit();
  formatted.set(uri, edits);
  await vscode.workspace.applyEdit(formatted);
  assert.deepEqual(document.getText().split('\n').slice(0, 2), ['goal latency;', 'cpu westmere;']);
  return document;
}

module.exports = { errors, opened, repair, until };
