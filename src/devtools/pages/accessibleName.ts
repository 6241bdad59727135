import type { CDPSession } from '../protocol/connect';

/**
 * The element at a point of a page's viewport, in CSS pixels, as a screen reader would call it: its name and its role, one of which may be empty;
 * undefined where there is none with a name or a role. Rejects when the page is gone.
 */
export async function accessibleElement(
  session: CDPSession,
  { x, y }: { x: number; y: number },
): Promise<{ name: string; role: string } | undefined> {
  const place = { x: Math.round(x), y: Math.round(y), includeUserAgentShadowDOM: false };
  const { backendNodeId } = await session.send('DOM.getNodeForLocation', place);
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: true });
  // The node itself may be ignored, such as the text within a button; the nodes after it are those around it.
  for (const { ignored, name, role } of nodes) {
    const element = { name: textOf(name?.value), role: textOf(role?.value) };
    if (!ignored && (element.name !== '' || element.role !== '')) return element;
  }
  return undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
