/**
 * The function that wrote batches before `input_loss` was there. The text is kept as it was released: programs of the
 * version before still call the function.
 */
export const WRITE_BATCH_1 = `
  create function write_batch_1(text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text, text) returns bigint
  language plpgsql as $body$
  declare
    counted bigint;
    met text;
  begin
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception 'a batch is to be read committed, and this one is %',
        current_setting('transaction_isolation');
    end if;
    if $1 is not null then
      if $5 is not null then
      if (coalesce((select jsonb_object_agg(id,
        jsonb_build_array(kind, max::text, used::text, held::text, running::text)) from (select id, kind, max, used, held, running from scopes
        where id = any (array(select jsonb_array_elements_text(($5::text)::jsonb->'of'))) order by id for update) locked), '{}') = ($5::text)::jsonb->'are') is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', 'scopes';
      end if;
      end if;
      if $6 is not null then
      if (coalesce((select jsonb_object_agg(key_id || ' ' || id,
        jsonb_build_array(period, time_zone, max::text, base::text, window_start::text, resets_at::text)) from budgets where key_id = any (array(select jsonb_array_elements_text(($6::text)::jsonb->'of')))), '{}') = ($6::text)::jsonb->'are') is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', 'budgets';
      end if;
      end if;
      if $7 is not null then
      if (coalesce((select jsonb_object_agg(id,
        jsonb_build_array(account_id, key_id, amount::text)) from holds where id = any (array(select jsonb_array_elements_text(($7::text)::jsonb->'of')))), '{}') = ($7::text)::jsonb->'are') is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', 'holds';
      end if;
      end if;
      if $8 is not null then
      if (coalesce((select jsonb_object_agg(key_id || ' ' || second,
        jsonb_build_array(requests::text, tokens::text)) from rate_seconds where key_id = any (array(select jsonb_array_elements_text(($8::text)::jsonb->'of'))) and second > (($8::text)::jsonb->>'after')::bigint), '{}') = ($8::text)::jsonb->'are') is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', 'seconds';
      end if;
      end if;
      if $9 is not null then
      if (coalesce((select jsonb_object_agg(key_id,
        jsonb_build_array(open::text)) from (select key_id, count(*) as open from holds where key_id = any (array(select jsonb_array_elements_text(($9::text)::jsonb->'of'))) group by key_id) counted), '{}') = ($9::text)::jsonb->'are') is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', 'open_holds';
      end if;
      end if;
      if (abs((extract(epoch from clock_timestamp()) * 1000)::bigint - $1::bigint) <= $2::bigint) is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', 'time';
      end if;
      if ((select epoch from owners where id = $3) = $4::bigint) is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', 'epoch';
      end if;
    end if;
    if $10 is not null then
      delete from holds where id = any (array(select json_array_elements_text(($10::text)::json)));
      get diagnostics counted = row_count;
      met := concat_ws(', ', met, 'taken ' || counted);
    end if;
    if $11 is not null then
      update holds h set amount = h.amount + v.more
    from json_to_recordset(($11::text)::json) as v (id text, more bigint) where h.id = v.id;
      get diagnostics counted = row_count;
      met := concat_ws(', ', met, 'raised ' || counted);
    end if;
    if $12 is not null then
      insert into holds (id, account_id, key_id, owner, amount, input_cost, model, endpoint, channel, stream, created_at) select id, account_id, key_id, owner, amount, input_cost, model, endpoint, channel, stream, created_at from json_to_recordset(($12::text)::json) as v (id text, account_id text, key_id text, owner text, amount bigint, input_cost bigint, model text, endpoint text, channel text, stream smallint, created_at bigint);
    end if;
    if $13 is not null then
      insert into entries (account_id, key_id, kind, amount, hold_id, created_at) select account_id, key_id, kind, amount, hold_id, created_at from json_to_recordset(($13::text)::json) as v (account_id text, key_id text, kind text, amount bigint, hold_id text, created_at bigint);
    end if;
    if $14 is not null then
      insert into receipts (id, account_id, key_id, created_at, endpoint, model, stream, status, billing_reason, error_code, channel, served_model, attempts, vendor_request_id, response_id, fresh, cache_read, cache_write, cache_write_long, output, reasoning, web_searches, clamped, usage_source, price_version, lines, vendor_cost, cost, held, loss, first_byte_ms, duration_ms, refusal, output_clamp, requests, last_at) select id, account_id, key_id, created_at, endpoint, model, stream, status, billing_reason, error_code, channel, served_model, attempts, vendor_request_id, response_id, fresh, cache_read, cache_write, cache_write_long, output, reasoning, web_searches, clamped, usage_source, price_version, lines, vendor_cost, cost, held, loss, first_byte_ms, duration_ms, refusal, output_clamp, requests, last_at from json_to_recordset(($14::text)::json) as v (id text, account_id text, key_id text, created_at bigint, endpoint text, model text, stream smallint, status integer, billing_reason text, error_code text, channel text, served_model text, attempts text, vendor_request_id text, response_id text, fresh bigint, cache_read bigint, cache_write bigint, cache_write_long bigint, output bigint, reasoning bigint, web_searches bigint, clamped smallint, usage_source text, price_version text, lines text, vendor_cost text, cost bigint, held bigint, loss bigint, first_byte_ms bigint, duration_ms bigint, refusal text, output_clamp bigint, requests bigint, last_at bigint);
    end if;
    if $15 is not null then
      update receipts r set account_id = v.account_id, key_id = v.key_id, created_at = v.created_at, endpoint = v.endpoint, model = v.model, stream = v.stream, status = v.status, billing_reason = v.billing_reason, error_code = v.error_code, channel = v.channel, served_model = v.served_model, attempts = v.attempts, vendor_request_id = v.vendor_request_id, response_id = v.response_id, fresh = v.fresh, cache_read = v.cache_read, cache_write = v.cache_write, cache_write_long = v.cache_write_long, output = v.output, reasoning = v.reasoning, web_searches = v.web_searches, clamped = v.clamped, usage_source = v.usage_source, price_version = v.price_version, lines = v.lines, vendor_cost = v.vendor_cost, cost = v.cost, held = v.held, loss = v.loss, first_byte_ms = v.first_byte_ms, duration_ms = v.duration_ms, refusal = v.refusal, output_clamp = v.output_clamp, requests = v.requests, last_at = v.last_at
    from json_to_recordset(($15::text)::json) as v (id text, account_id text, key_id text, created_at bigint, endpoint text, model text, stream smallint, status integer, billing_reason text, error_code text, channel text, served_model text, attempts text, vendor_request_id text, response_id text, fresh bigint, cache_read bigint, cache_write bigint, cache_write_long bigint, output bigint, reasoning bigint, web_searches bigint, clamped smallint, usage_source text, price_version text, lines text, vendor_cost text, cost bigint, held bigint, loss bigint, first_byte_ms bigint, duration_ms bigint, refusal text, output_clamp bigint, requests bigint, last_at bigint)
    where r.id = v.id and r.billing_reason = 'interrupted';
      get diagnostics counted = row_count;
      met := concat_ws(', ', met, 'replaced ' || counted);
    end if;
    if $16 is not null then
      update scopes s
    set used = s.used + v.used, held = s.held + v.held, running = s.running + v.running
    from json_to_recordset(($16::text)::json) as v (id text, used bigint, held bigint, running bigint) where s.id = v.id;
      get diagnostics counted = row_count;
      met := concat_ws(', ', met, 'moved ' || counted);
    end if;
    if $17 is not null then
      insert into rate_seconds (key_id, second, requests, tokens) select key_id, second, requests, tokens from json_to_recordset(($17::text)::json) as v (key_id text, second bigint, requests bigint, tokens bigint)
    on conflict (key_id, second) do update set
      requests = excluded.requests, tokens = excluded.tokens;
    end if;
    if $18 is not null then
      insert into rollups (account_id, key_id, model, hour, requests, failures, fresh, cache_read, cache_write, cache_write_long, output, cost) select account_id, key_id, model, hour, requests, failures, fresh, cache_read, cache_write, cache_write_long, output, cost from json_to_recordset(($18::text)::json) as v (account_id text, key_id text, model text, hour bigint, requests bigint, failures bigint, fresh bigint, cache_read bigint, cache_write bigint, cache_write_long bigint, output bigint, cost bigint)
    on conflict (account_id, key_id, model, hour) do update set requests = rollups.requests + excluded.requests, failures = rollups.failures + excluded.failures, fresh = rollups.fresh + excluded.fresh, cache_read = rollups.cache_read + excluded.cache_read, cache_write = rollups.cache_write + excluded.cache_write, cache_write_long = rollups.cache_write_long + excluded.cache_write_long, output = rollups.output + excluded.output, cost = rollups.cost + excluded.cost;
    end if;
    if $19 is not null then
      update keys k set last_used_at = greatest(k.last_used_at, v.last_used_at)
    from json_to_recordset(($19::text)::json) as v (id text, last_used_at bigint) where k.id = v.id;
    end if;
    if $20 is not null then
      update budgets b
    set base = v.base, window_start = v.window_start, resets_at = v.resets_at
    from json_to_recordset(($20::text)::json) as v (key_id text, id text, base bigint, window_start bigint, resets_at bigint) where b.key_id = v.key_id and b.id = v.id;
      get diagnostics counted = row_count;
      met := concat_ws(', ', met, 'turned ' || counted);
    end if;
    if $21 is not null then
      insert into channel_days (owner, day, channel, model, price_version, requests, failures, fresh, cache_read, cache_write, cache_write_long, output, web_searches, cost, loss, overage) select owner, day, channel, model, price_version, requests, failures, fresh, cache_read, cache_write, cache_write_long, output, web_searches, cost, loss, overage from json_to_recordset(($21::text)::json) as v (owner text, day bigint, channel text, model text, price_version text, requests bigint, failures bigint, fresh bigint, cache_read bigint, cache_write bigint, cache_write_long bigint, output bigint, web_searches bigint, cost bigint, loss bigint, overage bigint)
    on conflict (day, channel, model, price_version, owner) do update set
      requests = channel_days.requests + excluded.requests, failures = channel_days.failures + excluded.failures, fresh = channel_days.fresh + excluded.fresh, cache_read = channel_days.cache_read + excluded.cache_read, cache_write = channel_days.cache_write + excluded.cache_write, cache_write_long = channel_days.cache_write_long + excluded.cache_write_long, output = channel_days.output + excluded.output, web_searches = channel_days.web_searches + excluded.web_searches, cost = channel_days.cost + excluded.cost, loss = channel_days.loss + excluded.loss, overage = channel_days.overage + excluded.overage;
    end if;
    if $22 is not null then
      insert into receipts (id, account_id, key_id, created_at, endpoint, model, stream, status, billing_reason, error_code, channel, served_model, attempts, vendor_request_id, response_id, fresh, cache_read, cache_write, cache_write_long, output, reasoning, web_searches, clamped, usage_source, price_version, lines, vendor_cost, cost, held, loss, first_byte_ms, duration_ms, refusal, output_clamp, requests, last_at) select id, account_id, key_id, created_at, endpoint, model, stream, status, billing_reason, error_code, channel, served_model, attempts, vendor_request_id, response_id, fresh, cache_read, cache_write, cache_write_long, output, reasoning, web_searches, clamped, usage_source, price_version, lines, vendor_cost, cost, held, loss, first_byte_ms, duration_ms, refusal, output_clamp, requests, last_at from json_to_recordset(($22::text)::json) as v (id text, account_id text, key_id text, created_at bigint, endpoint text, model text, stream smallint, status integer, billing_reason text, error_code text, channel text, served_model text, attempts text, vendor_request_id text, response_id text, fresh bigint, cache_read bigint, cache_write bigint, cache_write_long bigint, output bigint, reasoning bigint, web_searches bigint, clamped smallint, usage_source text, price_version text, lines text, vendor_cost text, cost bigint, held bigint, loss bigint, first_byte_ms bigint, duration_ms bigint, refusal text, output_clamp bigint, requests bigint, last_at bigint)
    on conflict (id) do update set requests = receipts.requests + excluded.requests,
      last_at = greatest(receipts.last_at, excluded.last_at);
    end if;
    if $23 is not null then
      insert into astray_receipts (account_id, id) select account_id, id from json_to_recordset(($23::text)::json) as v (account_id text, id text)
    on conflict do nothing;
    end if;
    if coalesce(met, '') <> $24 then
      raise exception 'a batch has found % rows instead of %', met, $24;
    end if;
    return (extract(epoch from clock_timestamp()) * 1000)::bigint;
  end $body$;
`;
