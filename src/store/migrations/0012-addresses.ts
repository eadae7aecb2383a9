import type { DefinitionDialect } from './dialect.js';

/**
 * `messages.recipient` holds the canonical form from here on; where that is not what was given, the given form stands
 * beside it. Rows from before stay as they are, however many there are: whoever compares an address of theirs makes
 * its canonical form first. Suppressions are few and become canonical here; of two spellings the first stays.
 */
export const addresses = (dialect: DefinitionDialect): string[] => {
  const { at, bigint } = dialect;
  const suppressions = at('suppressions');
  return [
    `alter table ${at('messages')} add column recipient_given text`,
    // Separated by blanks; null: all of them.
    `alter table ${suppressions} add column lanes text`,
    `alter table ${suppressions} add column message_id ${bigint}`,
    `insert into ${suppressions} (workspace_id, address, reason, created_at)
      select workspace_id, lower(address), reason, created_at from ${suppressions}
      where address <> lower(address) order by created_at
      on conflict (workspace_id, address) do nothing`,
    `delete from ${suppressions} where address <> lower(address)`,
    `update ${suppressions} set reason = 'unsubscribed' where reason = 'unsubscribe'`,
    // SQLite's own key is in the order of bytes; in another order the beginning of an address is no stretch of it.
    ...(dialect.name === 'postgres'
      ? [`create index suppressions_list on ${suppressions} (workspace_id, address ${dialect.byteOrder})`]
      : []),
    ...(dialect.name === 'postgres' ? lookedAtNow(dialect) : []),
  ];
};

/**
 * What the gate looks at after it has locked its leases. A statement sees the database as it was when the statement
 * began, also if it then waited for a lock; what a volatile function asks is answered from the moment it asks. The
 * last argument is there to be computed first.
 */
const lookedAtNow = ({ at }: DefinitionDialect): string[] => [
  `create function ${at('suppressions_now')}(workspaces int[], addresses text[], locked bigint)
    returns setof ${at('suppressions')} language plpgsql volatile rows 10 as $$ begin
      return query select s.* from ${at('suppressions')} s
        where (s.workspace_id, s.address) in (select * from unnest(workspaces, addresses));
    end $$`,
  `create function ${at('channels_now')}(ids int[], locked bigint)
    returns setof ${at('channels')} language plpgsql volatile rows 10 as $$ begin
      return query select c.* from ${at('channels')} c where c.id = any(ids);
    end $$`,
];
