/** Open Report: the page of a bundle, with the reasons and measurements behind each value, as `setpoint compile` has written it. */

const vscode = require('vscode');
const { openPage, protectedPage } = require('./page');

const MOST = 200;

/** Open the only report of the workspace, or ask which. */
async function openReport() {
  const found = await reports();
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      'Setpoint: no report in this workspace. `setpoint compile POLICY --target report -o DIR` writes one.',
    );
    return;
  }
  const chosen = found.length === 1 ? found[0] : await vscode.window.showQuickPick(found, { placeHolder: 'Report of the bundle' });
  if (chosen !== undefined) {
    const html = Buffer.from(await vscode.workspace.fs.readFile(chosen.uri)).toString('utf8');
    openPage(chosen.label, vscode.ViewColumn.Active).webview.html = protectedPage(html);
  }
}

/**
 * The reports of bundles in the workspace, by path: those that lie beside a manifest.
 *
 * @returns {Promise<{label: string, uri: vscode.Uri}[]>}
 */
async function reports() {
  const manifests = await vscode.workspace.findFiles('**/manifest.json', '**/node_modules/**', MOST);
  const files = await vscode.workspace.findFiles('**/report.html', '**/node_modules/**', MOST);
  const folders = new Set(manifests.map((uri) => vscode.Uri.joinPath(uri, '..').toString()));
  return files
    .filter((uri) => folders.has(vscode.Uri.joinPath(uri, '..').toString()))
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
}

module.exports = { openReport };
