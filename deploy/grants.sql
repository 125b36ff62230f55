-- The rights of the service's role (DATABASE_URL) where another role owns the database (DATABASE_MIGRATION_URL).
-- Run once as the owner, before or after the first migration. Tables of later migrations get the same rights:
--   psql "$DATABASE_MIGRATION_URL" -v service=points_service -f deploy/grants.sql
create schema if not exists drizzle;
grant usage on schema public, drizzle to :"service";
grant select on all tables in schema drizzle to :"service";
grant select, insert, update, delete on all tables in schema public to :"service";
grant usage, select on all sequences in schema public to :"service";
alter default privileges in schema drizzle grant select on tables to :"service";
alter default privileges in schema public grant select, insert, update, delete on tables to :"service";
alter default privileges in schema public grant usage, select on sequences to :"service";
