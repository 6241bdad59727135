/** For tests in the extension host. */
import { EditorBrowser, leaveService, useService } from './editorBrowser';
import { RecordingService } from '../standins/recordingService';

/** A browser of a service whose requests are recorded. */
export interface RecordedBrowser {
  readonly service: RecordingService;
  readonly browser: EditorBrowser;
  /** Ends both, and puts the settings back. */
  readonly end: () => Promise<void>;
}

/** Configures Sideload to use the service that the suite has started, through a proxy that records, and starts a browser of it. */
export async function startRecordedBrowser(name: string): Promise<RecordedBrowser> {
  const service = await RecordingService.start();
  await useService(service.baseUrl);
  const browser = await EditorBrowser.start(name);
  return {
    service,
    browser,
    end: async () => {
      await browser.end();
      await leaveService();
      service.stop();
    },
  };
}
