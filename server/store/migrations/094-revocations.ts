import { type Kysely, sql } from 'kysely'

/**
 * Revocations of certificates: one reviewer proposes with a reason, another approves. The database checks that both review at that moment,
 * and that no certificate ends in another way. What somebody proposed lapses with their role or login.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table paper_revocations (
      id bigint generated always as identity primary key,
      papers uuid not null references papers,
      reason text not null check (length(reason) between 1 and 500),
      proposed_by uuid not null references staff,
      proposer text not null,
      proposed_at bigint not null,
      expires_at bigint not null,
      state text not null default 'open' check (state in ('open', 'approved', 'declined', 'expired')),
      decided_by uuid references staff,
      decided_at bigint,
      check ((state in ('open', 'expired')) = (decided_by is null)),
      check ((state in ('open', 'expired')) = (decided_at is null)),
      check (state <> 'approved' or (proposed_by <> decided_by and decided_at < expires_at))
    )`.execute(db)
  await sql`create unique index paper_revocations_open on paper_revocations (papers) where state = 'open'`.execute(db)
  await sql`create index paper_revocations_by_papers on paper_revocations (papers) where state = 'approved'`.execute(db)
  await decideOnce(db)
  await keepCertificates(db)
  await lapse(db)
}

async function decideOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function paper_revocations_end_once() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'open' then
            raise exception 'a revocation begins open';
          end if;
          return new;
        end if;
        if old.state <> 'open' or (new.papers, new.reason, new.proposed_by, new.proposer, new.proposed_at, new.expires_at)
            is distinct from (old.papers, old.reason, old.proposed_by, old.proposer, old.proposed_at, old.expires_at)
        then
          raise exception 'a revocation does not change';
        end if;
        if new.state = 'approved' and (
          select count(*) from staff where id in (new.proposed_by, new.decided_by) and role = 'compliance' and state = 'active'
        ) < 2 then
          raise exception 'a revocation needs two reviewers';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger paper_revocations_end_once before insert or update on paper_revocations
    for each row execute function paper_revocations_end_once()`.execute(db)
}

async function keepCertificates(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function papers_keep_certificates() returns trigger language plpgsql as $$
      begin
        if new.account <> old.account or new.tag is distinct from old.tag or new.state not in ('certified', 'revoked')
          or (new.state = 'revoked' and not exists (select from paper_revocations r where r.papers = old.id and r.state = 'approved'))
        then
          raise exception 'a certificate ends by an approved revocation';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger papers_keep_certificates before update on papers
    for each row when (old.state = 'certified') execute function papers_keep_certificates()`.execute(db)
}

async function lapse(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function paper_revocations_lapse() returns trigger language plpgsql as $$
      begin
        update paper_revocations set state = 'expired' where proposed_by = new.id and state = 'open';
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger paper_revocations_lapse after update on staff
    for each row when (new.proposal is distinct from old.proposal) execute function paper_revocations_lapse()`.execute(db)
}
