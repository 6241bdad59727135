import { randomBytes } from 'node:crypto';
import {
  type Disposable,
  env,
  EventEmitter,
  Uri,
  window,
  type Event,
  type ViewColumn,
  type Webview,
  type WebviewView,
} from 'vscode';
import { SCROLL_PANEL } from '../../ids';
import { scrollPage } from '../../screen/page/pageHtml';
import { scrollTexts } from '../../screen/screenTexts';

/** Where a screen is shown: in an editor tab, or in a view of the sidebar. */
export interface PanelHost extends Disposable {
  readonly kind: 'editor' | 'view';
  readonly webview: Webview;
  readonly isVisible: boolean;
  /** Whether it is the active editor of the window. */
  readonly isActive: boolean;
  readonly onDidChangeVisibility: Event<unknown>;
  readonly onDidDispose: Event<unknown>;
  setTitle: (title: string, browser: string) => void;
  reveal: () => void;
}

/** A new editor tab in a column, which has the focus. */
export function editorHost(column: ViewColumn, extensionUri: Uri): PanelHost {
  const panel = window.createWebviewPanel(
    SCROLL_PANEL,
    '',
    { viewColumn: column, preserveFocus: false },
    optionsOf(extensionUri),
  );
  panel.iconPath = {
    light: Uri.joinPath(extensionUri, 'media', 'screenLight.svg'),
    dark: Uri.joinPath(extensionUri, 'media', 'screenDark.svg'),
  };
  return {
    kind: 'editor',
    webview: panel.webview,
    get isVisible() {
      return panel.visible;
    },
    get isActive() {
      return panel.active;
    },
    onDidChangeVisibility: panel.onDidChangeViewState,
    onDidDispose: panel.onDidDispose,
    setTitle: (title) => {
      panel.title = title;
    },
    reveal: () => panel.reveal(),
    dispose: () => {
      panel.dispose();
    },
  };
}

/** A view that VS Code shows for the first time. Only VS Code itself can take it away. */
export function viewHost(view: WebviewView, extensionUri: Uri): PanelHost {
  const disposed = new EventEmitter<void>();
  view.webview.options = optionsOf(extensionUri);
  view.onDidDispose(() => disposed.fire());
  return {
    kind: 'view',
    webview: view.webview,
    get isVisible() {
      return view.visible;
    },
    isActive: false,
    onDidChangeVisibility: view.onDidChangeVisibility,
    onDidDispose: disposed.event,
    setTitle: (_, browser) => {
      view.description = browser;
    },
    reveal: () => view.show(),
    dispose: () => {
      disposed.fire();
      disposed.dispose();
    },
  };
}

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

function optionsOf(extensionUri: Uri): { enableScripts: boolean; localResourceRoots: Uri[] } {
  const folders = ['dist', 'media'].map((folder) => Uri.joinPath(extensionUri, folder));
  return { enableScripts: true, localResourceRoots: folders };
}
