-- Run once by the database's image, as its superuser, when it makes its folder. The service gets a role of
-- its own, which owns one database and may do nothing else on the server.
\getenv password DATABASE_PASSWORD
CREATE ROLE vesfx LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
ALTER DATABASE vesfx OWNER TO vesfx;
REVOKE ALL ON DATABASE vesfx FROM PUBLIC;
