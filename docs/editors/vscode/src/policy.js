/** The policy in the editor, as the commands take it. */

const path = require('path');
const vscode = require('vscode');

const LANGUAGE = 'tune';

/**
 * The policy that is being edited, saved: the program reads files.
 *
 * @returns {Promise<vscode.TextDocument | undefined>} undefined after a message about the reason
 */
async function savedPolicy() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== LANGUAGE) {
    void vscode.window.showInformationMessage('Setpoint: open a policy first, a file that ends in .tune.');
    return undefined;
  }
  if (document.uri.scheme !== 'file' || (document.isDirty && !(await document.save()))) {
    void vscode.window.showInformationMessage('Setpoint: save the policy first.');
    return undefined;
  }
  return document;
}

/**
 * @param {vscode.TextDocument} document
 * @returns {string} the folder of its file
 */
function folderOf(document) {
  return path.dirname(document.uri.fsPath);
}

module.exports = { LANGUAGE, folderOf, savedPolicy };
