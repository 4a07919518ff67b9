/** A page of Setpoint as a web view may show it. */

const { createHash } = require('crypto');

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

module.exports = { protectedPage };
