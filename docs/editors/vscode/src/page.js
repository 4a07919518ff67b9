/** A page of Setpoint, and the web view that shows it. */

const { createHash } = require('crypto');
const vscode = require('vscode');

/**
 * Add a Content-Security-Policy to a page: nothing is loaded and no script runs, whatever the page contains. Of styles, only
 * those in its head apply, which are named by their hashes.
 *
 * @param {string} html a whole page, with a head
 * @returns {string}
 */
function protectedPage(html) {
  const [head] = html.split('</head>', 1);
  const styles = [...head.matchAll(/<style>([^]*?)<\/style>/g)].map(
    ([, style]) => `'sha256-${createHash('sha256').update(style, 'utf8').digest('base64')}'`,
  );
  const policy = `default-src 'none'; style-src ${styles.join(' ') || "'none'"}; base-uri 'none'; form-action 'none'`;
  return html.replace('<head>', () => `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
}

/**
 * Open a web view for pages of Setpoint: it runs no script and reads no file.
 *
 * @param {string} title
 * @param {vscode.ViewColumn} column
 * @returns {vscode.WebviewPanel}
 */
function openPage(title, column) {
  return vscode.window.createWebviewPanel(
    'setpoint.page',
    title,
    { viewColumn: column, preserveFocus: true },
    { enableScripts: false, enableCommandUris: false, enableFindWidget: true, localResourceRoots: [] },
  );
}

module.exports = { openPage, protectedPage };
