import type { DefinitionDialect } from './dialect.js';

/**
 * A mail of more than 2 KB is compressed when it is stored. With PostgreSQL's own method that takes longer than all
 * the rest of storing it; lz4 is a tenth of that and hardly larger. A server that was built without it keeps its own.
 */
export const compression = ({ name, at }: DefinitionDialect): string[] =>
  name === 'sqlite'
    ? []
    : [
        `do $$ begin
          alter table ${at('contents')} alter column mail set compression lz4;
        exception when feature_not_supported or invalid_parameter_value or syntax_error then null;
        end $$`,
      ];
