import { type ConnectionOptions, ServiceConnections } from '../../src/devtools/connection/browserConnections';
import { PushEngine, type PushEngineOptions } from '../../src/push/engine';
import { OtherPrograms } from '../../src/push/turns/otherPrograms';

type Options = Omit<PushEngineOptions, 'connections' | 'otherPrograms'> & ConnectionOptions;

/** A push engine with connections to browsers of its own, as a window has it. */
export class TestEngine extends PushEngine {
  readonly connections: ServiceConnections;
  readonly otherPrograms: OtherPrograms;

  constructor({ idleMs, eventsOf, wiring, ...options }: Options) {
    const connections = new ServiceConnections({ idleMs, eventsOf, wiring });
    const otherPrograms = new OtherPrograms(options.log);
    super({ ...options, connections, otherPrograms });
    this.connections = connections;
    this.otherPrograms = otherPrograms;
  }

  /** Closes the connections, too. */
  override dispose(): void {
    super.dispose();
    this.connections.dispose();
  }
}
