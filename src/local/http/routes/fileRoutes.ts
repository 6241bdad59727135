import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { ArchiveError } from '../../archive/archiveError';
import { badRequest, invalidInput } from '../../httpErrors';
import { objectOf, optionalText, requiredText, type JsonObject } from '../../requestFields';
import { SessionFiles, type UploadedFile } from '../../files/sessionFiles';
import { filePart, MAX_FILE_BYTES, textPart, withParts, type FormPart } from '../multipart';
import { toDisk, toMemory } from '../receiving';
import type { ById, ServerContext } from '../serverContext';

/** Files of a session's machine, by absolute path. */
export function fileRoutes(app: FastifyInstance, { sessions }: ServerContext, done: () => void): void {
  const filesOf = (id: string) => {
    const session = sessions.get(id);
    return new SessionFiles(session.jail, session.spoolFolder);
  };

  app.get<ById>('/browsers/:id/fs/list_files', async (request, reply) =>
    reply.send(await filesOf(request.params.id).list(requiredText(request.query, 'path'))),
  );

  app.get<ById>('/browsers/:id/fs/file_info', async (request, reply) =>
    reply.send(await filesOf(request.params.id).info(requiredText(request.query, 'path'))),
  );

  app.get<ById>('/browsers/:id/fs/read_file', async (request, reply) => {
    const { size, content } = await filesOf(request.params.id).read(requiredText(request.query, 'path'));
    return reply.type('application/octet-stream').header('content-length', size).send(content);
  });

  const change = (name: string, code: number, act: (files: SessionFiles, fields: JsonObject) => Promise<void>) =>
    app.put<ById>(`/browsers/:id/fs/${name}`, async (request, reply) => {
      await act(filesOf(request.params.id), objectOf(request.body));
      return reply.code(code).send();
    });
  change('create_directory', 201, (files, fields) =>
    files.createDirectory(requiredText(fields, 'path'), readMode(fields)),
  );
  change('delete_directory', 200, (files, fields) => files.deleteDirectory(requiredText(fields, 'path')));
  change('delete_file', 200, (files, fields) => files.deleteFile(requiredText(fields, 'path')));
  change('move', 200, (files, fields) =>
    files.move(requiredText(fields, 'src_path'), requiredText(fields, 'dest_path')),
  );
  change('set_file_permissions', 200, (files, fields) => {
    const file = requiredText(fields, 'path');
    const mode = readMode(fields);
    if (mode === undefined) throw invalidInput('"mode" is required.');
    return files.setPermissions(file, mode, optionalText(fields, 'owner'), optionalText(fields, 'group'));
  });

  app.get<ById>('/browsers/:id/fs/download_dir_zip', async (request, reply) =>
    reply.type('application/zip').send(await filesOf(request.params.id).pack(requiredText(request.query, 'path'))),
  );

  app.post<ById>('/browsers/:id/fs/upload', async (request, reply) => {
    const { spoolFolder } = sessions.get(request.params.id);
    const intake = { spoolFolder, maxFileBytes: MAX_FILE_BYTES, receive: toDisk };
    // The session may have ended when all parts are here.
    await withParts(request, intake, (parts) => filesOf(request.params.id).upload(groupFiles(parts)));
    return reply.code(201).send();
  });

  app.post<ById>('/browsers/:id/fs/upload_zip', async (request, reply) => {
    const { spoolFolder } = sessions.get(request.params.id);
    const intake = { spoolFolder, maxFileBytes: MAX_FILE_BYTES, receive: toMemory };
    await withParts(request, intake, async (parts) => {
      const target = textPart(parts, 'dest_path');
      if (!target) throw invalidInput('"dest_path" is required.');
      await filesOf(request.params.id)
        .unpack(filePart(parts, 'zip_file'), target)
        .catch((error: unknown) => {
          throw error instanceof ArchiveError ? badRequest(error.message) : error;
        });
    });
    return reply.code(201).send();
  });

  // A file is written while it is received, whatever its content type, in a separate context without the JSON parser.
  void app.register((raw, _options, registered) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    raw.put<ById>('/browsers/:id/fs/write_file', async (request, reply) => {
      const content = request.body instanceof Readable ? request.body : Readable.from([]);
      await filesOf(request.params.id).write(requiredText(request.query, 'path'), readMode(request.query), content);
      return reply.code(201).send();
    });
    registered();
  });
  done();
}

function readMode(fields: JsonObject): number | undefined {
  const text = optionalText(fields, 'mode');
  if (text === undefined || text === '') return undefined;
  if (!/^0?[0-7]{3}$/.test(text)) throw invalidInput('"mode" must be three octal digits, such as 644.');
  return Number.parseInt(text, 8);
}

/** Part names of all generations of the official client: `files[0][file]` and `files.0.file`. */
const PART_NAME =
  /^files(?:\[(?<bracket>\d{1,9})\]\[(?<inner>file|dest_path)\]|\.(?<dot>\d{1,9})\.(?<plain>file|dest_path))$/;

/** Groups the parts of an upload into files by their index, in any order. 400 names a missing or unexpected part. */
function groupFiles(parts: readonly FormPart[]): UploadedFile[] {
  if (parts.length === 0) throw invalidInput('no files provided');
  const groups = new Map<number, Partial<UploadedFile>>();
  for (const part of parts) {
    const names = PART_NAME.exec(part.name)?.groups;
    if (!names) throw invalidInput(`invalid field: ${part.name}`);
    const index = Number(names['bracket'] ?? names['dot']);
    const group = groups.get(index) ?? {};
    groups.set(index, group);
    const key = (names['inner'] ?? names['plain']) === 'file' ? 'file' : 'path';
    if (group[key] !== undefined) throw invalidInput(`"${part.name}" is a duplicate.`);
    const value = key === 'file' ? part.file : part.text;
    if (value === undefined) throw invalidInput(`"${part.name}" must be ${key === 'file' ? 'a file' : 'text'}.`);
    group[key] = value;
  }
  return [...groups.entries()]
    .sort(([a], [b]) => a - b)
    .map(([index, { file, path }]) => {
      if (file === undefined || path === undefined) {
        throw invalidInput(`files[${index}] needs one "file" and one "dest_path".`);
      }
      return { file, path };
    });
}
