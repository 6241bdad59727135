import type { ScreenView } from '../../devtools/remoteScreen';
import type { ScreenHostMessage } from '../../scroll/screenMessages';

/** What a browser shows, as a message for the page. */
export function viewMessage(view: ScreenView): Extract<ScreenHostMessage, { kind: 'view' }> {
  const { tabs, front, history, isLoading, zoom, surface } = view;
  return {
    kind: 'view',
    tabs: tabs.map(({ targetId, title, url }) => ({
      id: targetId,
      title: title === '' ? url : title,
      isFront: targetId === front,
    })),
    address: history.url,
    title: history.title,
    canGoBack: history.canGoBack,
    canGoForward: history.canGoForward,
    isLoading,
    zoom,
    surface: surface ?? '',
  };
}
