import { type Kysely, sql } from 'kysely'
import { addressesFollow, membersFollow, wishesFollow } from './firms/carried-out.ts'

/**
 * What firms decide by several people: withdrawals, new addresses, the rule itself, and who may approve. The rule is kept here and not in
 * a process: each step takes the time of the database, locks the firm, and looks again at who may approve at that moment. So neither a
 * race of two nor a mistake of the gateway gets anything past the rule.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rules(db)
  await requests(db)
  await people(db)
  await rulesFollow(db)
  await paymentsFit(db)
  await requestsFollow(db)
  await verdictsCount(db)
  await wishesFollow(db)
  await addressesFollow(db)
  await membersFollow(db)
}

/** `bands`, `address_people`: as the wire's rule. `most`: the most people that any part asks for. `request`: null for the first one. */
async function rules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_now() returns bigint language sql volatile as $$
      select (extract(epoch from clock_timestamp()) * 1000)::bigint
    $$`.execute(db)
  await sql`
    create table firm_rules (
      firm uuid not null references firms,
      version integer not null check (version > 0),
      bands jsonb not null,
      address_people integer not null check (address_people between 1 and 50),
      most integer not null check (most between address_people and 50),
      request uuid unique,
      made_at bigint not null,
      primary key (firm, version),
      check ((version = 1) = (request is null))
    )`.execute(db)
}

/**
 * `payload`: as the wire's wish, without its kind. `sealed`: the beneficiary of an address, encrypted under the request's id. `payment`:
 * what the wish of a withdrawal has to be. `asked`: hash of
 * the wish, so that a repeat with another one is told apart. `usdt`: its value, null for other coins. `people`: by the rule when it was asked for.
 */
async function requests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table firm_requests (
      id uuid primary key,
      firm uuid not null references firms,
      number bigint not null,
      kind text not null check (kind in ('withdrawal', 'address', 'rule', 'member')),
      payload jsonb not null,
      sealed bytea,
      payment jsonb,
      shown jsonb not null,
      client_id text not null,
      asked text not null,
      account uuid references accounts,
      usdt numeric check (usdt > 0),
      rule integer not null,
      people integer not null check (people > 0),
      asked_by uuid not null references firm_members,
      asked_at bigint not null,
      expires_at bigint not null check (expires_at <= asked_at + 604800000),
      state text not null default 'open'
        check (state in ('open', 'approved', 'done', 'failed', 'refused', 'cancelled', 'expired')),
      decided_at bigint,
      done_at bigint,
      reason text check (reason ~ '^[A-Z_]{1,40}$'),
      withdrawal bigint,
      unique (firm, number),
      unique (asked_by, client_id),
      foreign key (firm, rule) references firm_rules,
      check ((kind = 'withdrawal') = (payment is not null)),
      check (kind = 'address' or sealed is null),
      check (kind = 'withdrawal' or withdrawal is null),
      check ((state = 'open') = (decided_at is null)),
      check ((state in ('done', 'failed')) = (done_at is not null)),
      check ((state = 'failed') = (reason is not null))
    )`.execute(db)
  await sql`create index firm_requests_waiting on firm_requests (expires_at) where state in ('open', 'approved')`.execute(db)
  await sql`create index firm_requests_counted on firm_requests (firm, decided_at) where kind = 'withdrawal'`.execute(db)
  await sql`alter table firm_rules add foreign key (request) references firm_requests`.execute(db)
  await sql`
    create table firm_verdicts (
      request uuid not null references firm_requests,
      member uuid not null references firm_members,
      account uuid not null references accounts,
      is_approved boolean not null,
      session uuid not null,
      at bigint not null,
      primary key (request, member),
      unique (request, account)
    )`.execute(db)
  await sql`
    create function firm_rows_only_grow() returns trigger language plpgsql as $$
      begin
        raise exception 'rules and verdicts of firms only grow';
      end
    $$`.execute(db)
  for (const table of ['firm_rules', 'firm_verdicts'])
    await sql`
      create trigger ${sql.id(`${table}_only_grow`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function firm_rows_only_grow()`.execute(db)
}

/** Who counts, and how many are asked for. Each of these is volatile, so that it sees what was committed before the firm was locked. */
async function people(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_lock(which uuid) returns void language plpgsql set search_path = public, pg_temp as $$
      begin
        perform from firms where id = which and state = 'active' for no key update;
        if not found then
          raise exception 'the firm is not active';
        end if;
      end
    $$`.execute(db)
  // A person of the firm who is certified, not frozen, and has a second factor.
  await sql`
    create function firm_can_approve(who uuid) returns boolean language sql volatile set search_path = public, pg_temp as $$
      select exists (
        select from firm_members m join accounts a on a.id = m.account
        where m.id = who and m.state = 'active' and m.role in ('owner', 'admin', 'treasurer')
          and a.firm is null and a.certification = 'certified' and a.frozen_at is null and a.erased_at is null
          and (exists (select from authenticators f where f.account = a.id and f.confirmed_at is not null)
            or exists (select from passkeys p where p.account = a.id)))
    $$`.execute(db)
  await sql`
    create function firm_can_ask(who uuid, about text) returns boolean language sql volatile set search_path = public, pg_temp as $$
      select firm_can_approve(who) and exists (
        select from firm_members where id = who
          and role in ('owner', case when about in ('withdrawal', 'address') then 'treasurer' else 'admin' end))
    $$`.execute(db)
  await sql`
    create function firm_band_people(bands jsonb, usdt numeric) returns integer language sql immutable as $$
      select (band.value->>'people')::integer
      from jsonb_array_elements(bands) with ordinality as band (value, place)
      where band.value->>'upTo' is null or usdt <= (band.value->>'upTo')::numeric
      order by band.place limit 1
    $$`.execute(db)
  // A withdrawal counts with all others of the firm that wait and came before it, or that were approved in the last 24 hours. Whatever is
  // approved last therefore has the sum of the day, and parts of a withdrawal need as many people as the whole.
  await sql`
    create function firm_people(asked firm_requests) returns integer language plpgsql volatile set search_path = public, pg_temp as $$
      declare
        rule firm_rules;
        others numeric;
      begin
        select * into rule from firm_rules where firm = asked.firm order by version desc limit 1;
        if asked.kind = 'address' then
          return greatest(asked.people, rule.address_people);
        elsif asked.kind <> 'withdrawal' then
          return greatest(asked.people, rule.most);
        end if;
        select coalesce(sum(usdt), 0) into others from firm_requests o
          where o.firm = asked.firm and o.kind = 'withdrawal' and o.id <> asked.id
            and (o.state = 'open' and o.number < asked.number
              or o.state in ('approved', 'done') and o.decided_at > firm_now() - 86400000);
        return greatest(asked.people, firm_band_people(rule.bands, asked.usdt + others));
      end
    $$`.execute(db)
  await sql`
    create function firm_approvals(which uuid) returns integer language sql volatile set search_path = public, pg_temp as $$
      select count(distinct v.account)::integer from firm_verdicts v
      where v.request = which and v.is_approved and firm_can_approve(v.member)
    $$`.execute(db)
  // Whether enough people stand behind it now, and whoever asked may still ask. Of an approved one: not longer than a day later.
  await sql`
    create function firm_holds(asked firm_requests) returns boolean language sql volatile set search_path = public, pg_temp as $$
      select firm_can_ask(asked.asked_by, asked.kind) and firm_approvals(asked.id) >= firm_people(asked)
        and not exists (select from firm_verdicts where request = asked.id and not is_approved)
        and firm_now() < coalesce(asked.decided_at + 86400000, asked.expires_at)
    $$`.execute(db)
  await sql`
    create function firm_approvers(which uuid) returns integer language sql volatile set search_path = public, pg_temp as $$
      select count(*)::integer from firm_members where firm = which and firm_can_approve(id)
    $$`.execute(db)
}

/** The first rule comes with the firm: one person for everything, because a new firm has nobody but its owner. */
async function rulesFollow(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_bands_fit(bands jsonb) returns boolean language plpgsql immutable as $$
      declare
        band jsonb;
        place integer := 0;
        reached numeric := 0;
        people integer := 1;
      begin
        if jsonb_typeof(bands) <> 'array' or jsonb_array_length(bands) not between 1 and 5 then
          return false;
        end if;
        for band in select value from jsonb_array_elements(bands) loop
          place := place + 1;
          if (band - 'upTo' - 'people') <> '{}' or not coalesce(band->>'people' ~ '^[1-9][0-9]?$', false)
            or jsonb_typeof(band->'people') <> 'number' or (band->>'people')::integer not between people and 50
            or (place = jsonb_array_length(bands)) <> (coalesce(band->'upTo', '""') = 'null')
          then
            return false;
          end if;
          people := (band->>'people')::integer;
          if place < jsonb_array_length(bands) then
            if not coalesce(band->>'upTo' ~ '^[0-9]{1,15}([.][0-9]{1,6})?$', false) or (band->>'upTo')::numeric <= reached then
              return false;
            end if;
            reached := (band->>'upTo')::numeric;
          end if;
        end loop;
        return true;
      end
    $$`.execute(db)
  await sql`alter table firm_rules add constraint firm_rules_bands check (firm_bands_fit(bands))`.execute(db)
  await sql`
    create function firm_rule_follows() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        perform firm_lock(new.firm);
        new.made_at := firm_now();
        new.most := greatest(new.address_people,
          (select max((value->>'people')::integer) from jsonb_array_elements(new.bands)));
        if new.version <> (select coalesce(max(version), 0) + 1 from firm_rules where firm = new.firm) then
          raise exception 'rules of a firm follow each other';
        end if;
        if new.version = 1 then
          if new.most <> 1 or jsonb_array_length(new.bands) <> 1 then
            raise exception 'the first rule of a firm asks for one person';
          end if;
          return new;
        end if;
        if new.most > firm_approvers(new.firm) then
          raise exception 'a rule asks for no more people than the firm has';
        end if;
        update firm_requests r set state = 'done', done_at = firm_now()
          where r.id = new.request and r.firm = new.firm and r.kind = 'rule' and r.state = 'approved' and firm_holds(r)
            and r.payload = jsonb_build_object('bands', new.bands, 'addressPeople', new.address_people);
        if not found then
          raise exception 'a rule of a firm needs an approved request';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_rule_follows before insert on firm_rules
    for each row execute function firm_rule_follows()`.execute(db)
  await sql`
    create function firm_first_rule() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        insert into firm_rules (firm, version, bands, address_people, most, made_at)
          select new.id, 1, '[{"upTo": null, "people": 1}]', 1, 1, 0
          where not exists (select from firm_rules where firm = new.id);
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_first_rule after insert or update on firms
    for each row when (new.state = 'active') execute function firm_first_rule()`.execute(db)
}

/** What is paid is what the request shows, to the unit. */
async function paymentsFit(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_payment_fits(wished jsonb, payment jsonb) returns boolean language plpgsql immutable as $$
      declare
        amount text := wished->>'amount';
        fee text := wished->>'fee';
      begin
        return amount ~ '^[0-9]{1,15}([.][0-9]{1,18})?$' and fee ~ '^[0-9]{1,15}([.][0-9]{1,18})?$'
          and payment->>'decimals' ~ '^[0-9]{1,2}$' and payment->>'value' ~ '^[1-9][0-9]{0,77}$'
          and payment->>'asset' = wished->>'asset' and payment->>'network' = wished->>'network'
          and (amount::numeric - fee::numeric) * power(10::numeric, (payment->>'decimals')::integer) = (payment->>'value')::numeric;
      end
    $$`.execute(db)
}

async function requestsFollow(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_request_follows() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        perform firm_lock(new.firm);
        if tg_op = 'INSERT' then
          if new.state <> 'open' or not exists (select from firm_members where id = new.asked_by and firm = new.firm)
            or not firm_can_ask(new.asked_by, new.kind)
          then
            raise exception 'a request of a firm begins open, by a member who may ask';
          end if;
          new.number := 1 + (select coalesce(max(number), 0) from firm_requests where firm = new.firm);
          new.asked_at := firm_now();
          new.expires_at := new.asked_at + 604800000;
          new.usdt := null;
          new.account := null;
          if new.kind in ('withdrawal', 'address') then
            select account into new.account from firm_accounts where firm = new.firm and kind = 'main' and is_open;
            if new.account is null then
              raise exception 'the main account of the firm is not open';
            end if;
          end if;
          if new.kind = 'withdrawal' then
            if not firm_payment_fits(new.payload, new.payment) then
              raise exception 'a withdrawal pays what it says';
            end if;
            new.usdt := case when new.payload->>'asset' = 'USDT' then (new.payload->>'amount')::numeric end;
          end if;
          select max(version) into new.rule from firm_rules where firm = new.firm;
          new.people := 1;
          new.people := firm_people(new);
          return new;
        end if;
        if (to_jsonb(new) - 'state' - 'decided_at' - 'done_at' - 'reason' - 'withdrawal')
          <> (to_jsonb(old) - 'state' - 'decided_at' - 'done_at' - 'reason' - 'withdrawal')
        then
          raise exception 'a request of a firm does not change';
        end if;
        if old.state = 'open' and new.state in ('approved', 'refused', 'cancelled', 'expired') then
          if new.state = 'approved' and not firm_holds(old) then
            raise exception 'a request of a firm needs the people of its rule';
          elsif new.state = 'refused'
            and not exists (select from firm_verdicts where request = new.id and not is_approved and firm_can_approve(member))
          then
            raise exception 'a request of a firm is refused by one of its approvers';
          elsif new.state = 'expired' and firm_now() < old.expires_at then
            raise exception 'a request of a firm has its time';
          end if;
          new.decided_at := firm_now();
          new.done_at := null;
          new.reason := null;
          new.withdrawal := null;
          return new;
        end if;
        if old.state = 'approved' and new.state in ('done', 'failed') then
          if new.state = 'done' and new.kind = 'withdrawal' and new.withdrawal is distinct from
            (select withdrawal from withdrawal_wishes where account = new.account and client_id = new.id::text)
          then
            raise exception 'a withdrawal is done when the core has taken it';
          end if;
          new.decided_at := old.decided_at;
          new.done_at := firm_now();
          return new;
        end if;
        raise exception 'a request of a firm is decided once';
      end
    $$`.execute(db)
  await sql`
    create trigger firm_request_follows before insert or update on firm_requests
    for each row execute function firm_request_follows()`.execute(db)
}

/** A verdict comes from a login that proved itself in the last 15 minutes. An approval waits for a day after a change of the login's protection. */
async function verdictsCount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_verdict_counts() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        asked firm_requests;
      begin
        perform firm_lock((select firm from firm_requests where id = new.request));
        select * into asked from firm_requests where id = new.request;
        select account into new.account from firm_members where id = new.member and firm = asked.firm;
        new.at := firm_now();
        if asked.state <> 'open' or new.at >= asked.expires_at then
          raise exception 'the request is decided';
        end if;
        if new.account is null or not firm_can_approve(new.member) then
          raise exception 'a verdict needs a member who may approve';
        end if;
        if not exists (
          select from sessions where id = new.session and account = new.account and revoked_at is null and proven_at > new.at - 900000
        ) then
          raise exception 'a verdict needs a login that proved itself';
        end if;
        if new.is_approved and exists (select from accounts where id = new.account and withdrawals_closed_until > new.at) then
          raise exception 'an approval waits after a change of the login';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_verdict_counts before insert on firm_verdicts
    for each row execute function firm_verdict_counts()`.execute(db)
}
