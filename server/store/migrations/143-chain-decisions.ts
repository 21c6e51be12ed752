import { type Kysely, sql } from 'kysely'

/** Signatures of operators above the signer's limit, and what two members decide about payments and about movements of own coins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await operators(db)
  await decisions(db)
  await onlyTwoDecide(db)
  await onlyDecidedEnd(db)
}

/**
 * `payout_operators`: keys of the operators by the signer's policy; of a passkey the id of its credential. `staff`: the member whose
 * passkey signed. Each member counts once, under whatever names the policy has the member's keys.
 */
async function operators(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_operators (
      key text primary key,
      operator text not null
    )`.execute(db)
  await sql`
    alter table payout_approvals add column staff uuid not null references staff,
      add constraint payout_approvals_member unique (withdrawal, staff)`.execute(db)
  await sql`
    create function withdrawal_is_own(who uuid, which bigint) returns boolean language sql stable as $$
      select exists (
        select from core_withdrawals w join accounts a on a.core_user = w.user_id join staff_marks m on m.account = a.id
        where w.id = which and m.staff = who
      )
    $$`.execute(db)
  await sql`
    create function payout_approval_counts() returns trigger language plpgsql as $$
      begin
        if not withdrawals_may(new.staff) or withdrawal_is_own(new.staff, new.withdrawal) then
          raise exception 'a signature needs a member whose role may, and is not for the own withdrawal';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger payout_approval_counts before insert on payout_approvals
    for each row execute function payout_approval_counts()`.execute(db)
}

/** `ending`: an approved withdrawal that the signer refuses fails. `movement`: the operator sent these coins to an own address. */
async function decisions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_decisions (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('ending', 'movement')),
      withdrawal bigint check (withdrawal > 0),
      network text,
      txid text,
      reason text not null check (length(reason) between 1 and 500),
      proposed_by uuid not null references staff,
      proposed_at bigint not null,
      expires_at bigint not null,
      state text not null default 'open' check (state in ('open', 'approved', 'declined', 'expired')),
      decided_by uuid references staff,
      decided_at bigint,
      why text check (length(why) between 1 and 500),
      check ((kind = 'ending') = (withdrawal is not null)),
      check ((kind = 'movement') = (network is not null)),
      check ((kind = 'movement') = (txid is not null)),
      check ((state in ('open', 'expired')) = (decided_by is null)),
      check ((state in ('open', 'expired')) = (decided_at is null)),
      check (state <> 'approved' or (proposed_by <> decided_by and decided_at < expires_at))
    )`.execute(db)
  await sql`
    create unique index chain_decisions_ending on chain_decisions (withdrawal)
    where kind = 'ending' and state in ('open', 'approved')`.execute(db)
  await sql`
    create unique index chain_decisions_movement on chain_decisions (network, txid) where kind = 'movement' and state = 'open'`.execute(db)
}

async function onlyTwoDecide(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function chain_may(who uuid, about chain_decisions) returns boolean language sql stable as $$
      select case about.kind
        when 'ending' then withdrawals_may(who) and not withdrawal_is_own(who, about.withdrawal)
        else exists (select from staff where id = who and state = 'active' and role in ('administrator', 'treasury')) end
    $$`.execute(db)
  await sql`
    create function chain_decisions_end_once() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'open' or not chain_may(new.proposed_by, new) then
            raise exception 'a decision about a chain begins open, by a member whose role may';
          end if;
          return new;
        end if;
        if old.state <> 'open'
          or (new.kind, new.withdrawal, new.network, new.txid, new.reason, new.proposed_by, new.proposed_at, new.expires_at)
            is distinct from (old.kind, old.withdrawal, old.network, old.txid, old.reason, old.proposed_by, old.proposed_at, old.expires_at)
        then
          raise exception 'a decision about a chain does not change';
        end if;
        if new.state in ('approved', 'declined') and not chain_may(new.decided_by, new)
          or new.state = 'approved' and not chain_may(new.proposed_by, new)
        then
          raise exception 'a decision about a chain needs two members whose roles may';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger chain_decisions_end_once before insert or update on chain_decisions
    for each row execute function chain_decisions_end_once()`.execute(db)
  await sql`
    create function chain_decisions_lapse() returns trigger language plpgsql as $$
      begin
        update chain_decisions set state = 'expired' where proposed_by = new.id and state = 'open';
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger chain_decisions_lapse after update on staff
    for each row when (new.proposal is distinct from old.proposal) execute function chain_decisions_lapse()`.execute(db)
}

/** A payout ends as refused, and coins that came in count as the operator's, only where two members said so. */
async function onlyDecidedEnd(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payouts drop constraint payouts_fate_check, drop constraint payouts_check2,
      add constraint payouts_fate_check check (fate in ('paid', 'reverted', 'refused')),
      add constraint payouts_txid_check check ((txid is null) = (fate is null or fate = 'refused')),
      add constraint payouts_refused_check check (fate <> 'refused' or nonce is null)`.execute(db)
  await sql`
    create function payout_refused() returns trigger language plpgsql as $$
      begin
        if exists (select from payout_attempts where withdrawal = new.withdrawal and raw is not null)
          or not exists (select from chain_decisions where kind = 'ending' and withdrawal = new.withdrawal and state = 'approved')
        then
          raise exception 'payout % was signed, or no two members ended it', new.withdrawal;
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger payout_refused before insert or update on payouts
    for each row when (new.fate = 'refused') execute function payout_refused()`.execute(db)
  await sql`
    create function treasury_movement_decided() returns trigger language plpgsql as $$
      begin
        if new.amount < 0 or not exists (
          select from chain_decisions d join staff p on p.id = d.proposed_by join staff q on q.id = d.decided_by
          where d.kind = 'movement' and d.state = 'approved' and d.network = new.network and d.txid = new.txid
            and p.number = new.first and q.number = new.second
        ) then
          raise exception 'a movement of the operator came in, and needs the decision of two members';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger treasury_movement_decided before insert on treasury_movements
    for each row when (new.kind = 'operator') execute function treasury_movement_decided()`.execute(db)
  // Its owner writes the movements, so that the gateway, where the members decide, needs no right to write any.
  await sql`
    create function chain_movement_named() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into treasury_movements (network, holder, contract, amount, kind, txid, block, note, first, second, made_at)
        select f.network, f.recipient, f.contract, f.value, 'operator', f.txid, f.block, new.reason, p.number, q.number, new.decided_at
        from treasury_flows f, staff p, staff q
        where f.network = new.network and f.txid = new.txid and f.what = 'inflow' and not f.is_done
          and p.id = new.proposed_by and q.id = new.decided_by;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger chain_movement_named after update on chain_decisions
    for each row when (new.kind = 'movement' and new.state = 'approved' and old.state = 'open')
    execute function chain_movement_named()`.execute(db)
}
