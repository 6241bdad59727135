import { randomBytes } from 'node:crypto';
import { env, Uri } from 'vscode';
import { scrollPage } from '../../screen/page/pageHtml';
import { scrollTexts } from '../../screen/screenTexts';
import type { PanelHost } from './panelHost';

/** The document of a screen, with a nonce of its own. */
export function panelPage({ webview, kind }: PanelHost, extensionUri: Uri): string {
  const address = (folder: string, file: string): string =>
    webview.asWebviewUri(Uri.joinPath(extensionUri, folder, file)).toString();
  return scrollPage({
    nonce: randomBytes(16).toString('hex'),
    scriptUri: address('dist', 'scroll.js'),
    styleUri: address('media', 'scroll.css'),
    cspSource: webview.cspSource,
    language: env.language,
    texts: scrollTexts(),
    place: kind,
  });
}
