# Prints the rates whenever one changes. Python 3.9 or later, without a package.
import http.client, json, os, sys, time, urllib.error, urllib.request

url = os.environ["VESFX_URL"] + "/v1/fx/stream?markets=parallel,binance"
mids, last_id = {}, ""
while True:
    wait, event = 3, {}
    headers = {"X-API-Key": os.environ["VESFX_KEY"], "Last-Event-ID": last_id}
    try:
        # A line comes every 15 s at least: after 45 s without one the connection is dead.
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=45) as stream:
            for line in stream:
                name, _, value = line.decode().strip().partition(": ")
                if name:
                    event[name] = value
                    continue
                if event.get("event") == "error":
                    sys.exit(event["data"])
                if "data" in event:
                    data, last_id = json.loads(event["data"]), event["id"]
                    if event["event"] == "snapshot":
                        mids.clear()
                    for market in data.get("removed", []):
                        mids.pop(market, None)
                    mids.update((rate["market"], rate["mid"]) for rate in data["rates"])
                    print(json.dumps(mids), flush=True)
                    unsure = data["in_doubt"] + data["stale"] + data["frozen"]
                    if unsure:
                        print("Not to charge by:", ", ".join(unsure), file=sys.stderr)
                event = {}
    except urllib.error.HTTPError as error:
        if error.code < 500 and error.code != 429:
            sys.exit(error.read().decode())
        wait = int(error.headers.get("Retry-After", 30))
    except (OSError, http.client.HTTPException):
        pass  # The connection broke.
    time.sleep(wait)
