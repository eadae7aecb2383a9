import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { getPrismaClient, type GetPrismaClientConfig } from '@prisma/client/runtime/client';

const require = createRequire(import.meta.url);
const COMPILER = '@prisma/client/runtime/query_compiler_fast_bg.postgresql';
/** Node has it, the types that Node is described by do not. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Buffer) => object } };

/** What of it is used here. `prisma generate` would write the same for every model of a schema, and we have none. */
export interface Prisma {
  $transaction<T>(work: (tx: PrismaTransaction) => Promise<T>): Promise<T>;
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>;
  $disconnect(): Promise<void>;
}

/** `Prisma.TransactionClient` of a generated client. */
export type PrismaTransaction = Omit<Prisma, '$transaction' | '$disconnect'>;

/**
 * The client that `prisma generate` writes for a schema without models: the real engine, a query compiler, with nothing
 * around it. Generating it anew would take Prisma's command line, which is ten times as large as all the rest.
 */
const GENERATED: GetPrismaClientConfig = {
  previewFeatures: [],
  clientVersion: '7.10.0',
  engineVersion: 'd1b3f377ca835d73fd50954a5e22128b9ebdd6b8',
  activeProvider: 'postgresql',
  inlineSchema:
    'generator client {\n  provider = "prisma-client"\n}\n\ndatasource db {\n  provider = "postgresql"\n}\n',
  runtimeDataModel: { models: {}, enums: {}, types: {} },
  parameterizationSchema: { strings: [], graph: 'AAAA' },
  compilerWasm: {
    getRuntime: () => Promise.resolve(require(`${COMPILER}.js`)),
    getQueryCompilerWasmModule: () => {
      const { wasm } = require(`${COMPILER}.wasm-base64.js`) as { wasm: string };
      return Promise.resolve(new WebAssembly.Module(Buffer.from(wasm, 'base64')));
    },
    importName: './query_compiler_fast_bg.js',
  },
} as unknown as GetPrismaClientConfig;

export function openPrisma(databaseUrl: string): Prisma {
  const Client = getPrismaClient(GENERATED) as unknown as new (options: object) => Prisma;
  return new Client({ adapter: new PrismaPg({ connectionString: databaseUrl }) });
}
