import type { DefinitionDialect } from './dialect.js';

/**
 * Invitations, and what is known of a password. Who set those of before, nobody knows: they count as given by
 * somebody else, and nobody vouches for them. Two exceptions. The first person of all is the administrator made at the
 * first start, before anybody could be added; his is his own. And whoever is a member of several workspaces may have
 * the password that an administrator of one of them chose: it ends here, and an administrator of the installation
 * lets him in anew.
 *
 * A program of the version before changes `password` alone: what stands beside it is then of another one, and void.
 */
export const invitations = ({ at, integer, bigint, withoutRowid }: DefinitionDialect): string[] => {
  const isFirstAdmin = `id = 1 and exists (select 1 from ${at('memberships')} m
    join ${at('workspaces')} w on w.id = m.workspace_id
    where m.user_id = 1 and m.role = 'admin' and w.name = 'default')`;
  const ofSeveral = `select user_id from ${at('memberships')} group by user_id having count(*) > 1`;
  return [
    `create table ${at('invitations')} (
      user_id ${bigint} primary key, hash text not null unique, workspace_id ${integer} not null,
      made_by ${bigint}, created_at ${bigint} not null, expires_at ${bigint} not null)${withoutRowid}`,
    `create index invitations_maker on ${at('invitations')} (made_by)`,
    `alter table ${at('users')} add column own_password text`,
    `alter table ${at('users')} add column vouched_password text`,
    `update ${at('users')} set own_password = password, vouched_password = password where ${isFirstAdmin}`,
    `update ${at('users')} set password = null where own_password is null and id in (${ofSeveral})`,
    `delete from ${at('sessions')} where user_id in (select id from ${at('users')} where password is null)`,
    `alter table ${at('api_keys')} add column expires_at ${bigint}`,
  ];
};
