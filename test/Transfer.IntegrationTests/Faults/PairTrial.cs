namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// Two commands and somebody who writes, all at the same time, in folders and stores. Whatever content existed at the beginning or was written meanwhile must exist
/// somewhere in the end, unless a command was told to delete or replace exactly that state of it.
/// </summary>
/// <remarks>
/// A command was told that if it replaces or deletes whatever is at its target (<see cref="PairCommand.Replaces"/>), or if the content was already there when it listed
/// its target. Each content is written once, and is as long as all others, so it can be traced, and sizes tell nothing.
/// </remarks>
internal sealed class PairTrial
{
    private static readonly string[] Names = ["a", "b", "d/c", "d/e"];

    private readonly Random _random;
    private readonly TurnScheduler _turns;
    private readonly bool _hasConditions;
    private readonly CopyPlace[] _places;
    private readonly PairCommand[] _commands;
    private readonly List<Written> _written = [];
    private readonly HashSet<string> _replaced = []; // by those who write
    private readonly List<string> _log = [];
    private readonly HashSet<(CopyPlace Place, string Name)> _untouchable = [];
    private readonly double _writes;
    private int[] _ended = [];

    /// <param name="seed">The seed of everything random.</param>
    /// <param name="folder">An empty folder.</param>
    /// <param name="one">A store.</param>
    /// <param name="other">Another store, with the same abilities.</param>
    /// <param name="hasConditions">
    /// Whether the stores know conditions. Otherwise, whoever writes between the last lookup of a name and the request that replaces or deletes it loses, in any program. So
    /// only one command runs then, and nobody else writes to a name that it has looked up.
    /// </param>
    public PairTrial(int seed, string folder, PairStore one, PairStore other, bool hasConditions)
    {
        _random = new Random(seed);
        _turns = new TurnScheduler(_random);
        _hasConditions = hasConditions;
        _places =
        [
            new CopyPlace("folder", Path.Combine(folder, "folder"), null, null, string.Empty),
            new CopyPlace("A", null, one.Server, one.S3, $"{seed}/A/"),
            new CopyPlace("B", null, one.Server, one.S3, $"{seed}/B/"),
            new CopyPlace("C", null, other.Server, other.S3, $"{seed}/C/"),
        ];
        _commands = [.. Enumerable.Range(0, hasConditions ? 2 : 1).Select(_ => NextCommand())];
        _writes = _random.NextDouble() * 0.3;
    }

    /// <summary>Runs everything.</summary>
    /// <returns>What was lost; null if nothing was.</returns>
    public async Task<string?> RunAsync()
    {
        Directory.CreateDirectory(_places[0].Path!);
        foreach (CopyPlace place in _places)
        {
            foreach (string name in Names.Where(_ => _random.Next(2) == 0))
            {
                Write(place, name);
            }
        }

        Dictionary<(int Command, int Port), TransferClient> clients = [];
        Exception?[] errors = new Exception?[_commands.Length];
        Func<Task>[] runs = [.. _commands.Select((command, number) => (Func<Task>)(async () =>
        {
            try
            {
                await command.RunAsync(place => GetClient(number, place), _places[1]).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                errors[number] = e;
            }
        }))];
        try
        {
            _ended = await _turns.RunAsync(runs, Meddle).ConfigureAwait(false);
        }
        finally
        {
            foreach (TransferClient client in clients.Values)
            {
                await client.DisposeAsync().ConfigureAwait(false);
            }
        }

        HashSet<string> there = [];
        foreach (CopyPlace place in _places)
        {
            there.UnionWith((await place.ReadAsync().ConfigureAwait(false)).Values);
        }

        Written[] lost = [.. _written.Where(one => !there.Contains(one.Content) && !_replaced.Contains(one.Content) && !_commands.Select((command, number) => MayLose(command, number, one)).Any(may => may))];
        return lost.Length == 0 ? null : $"""
            lost: {string.Join(", ", lost.Select(one => $"{one.Content} of {one.Name} in {one.Place.Name}, written at {one.Time}"))}
            commands: {string.Join(" and ", _commands.Select((command, i) => $"{command}, which ended at {_ended[i]}"))}{(_hasConditions ? string.Empty : ", without conditions")}
            {string.Join('\n', errors.Where(error => error is not null).Select(error => error!.Message))}
            {string.Join('\n', _log.Concat(_turns.Steps.Select(step => $"{step.Time}: {step.Command} {step.Method} {step.Path}{(step.IsListing ? " " + step.Query : string.Empty)}")))}
            """;

        TransferClient GetClient(int command, CopyPlace place)
        {
            int port = place.Server!.Endpoint.Port;
            lock (clients)
            {
                if (!clients.TryGetValue((command, port), out TransferClient? client))
                {
                    client = new TransferClient(place.S3!, new TransferClientOptions
                    {
                        Advanced = { WrapHandler = inner => _turns.Wrap(command, inner), EnvironmentVariables = _ => null },
                        HedgeRequests = false,
                        StateDirectory = null,
                    });
                    clients.Add((command, port), client);
                }

                return client;
            }
        }
    }

    private PairCommand NextCommand()
    {
        PairCommandKind kind = (PairCommandKind)_random.Next(5);
        CopyPlace source = _places[_random.Next(_places.Length)];
        CopyPlace target;
        do
        {
            target = _places[_random.Next(_places.Length)];
        }
        while (target == source || (kind == PairCommandKind.Remove && target.IsFolder));
        bool replaces = kind is not (PairCommandKind.Sync or PairCommandKind.SyncDelete) && _random.Next(4) == 0;
        return new PairCommand(kind, kind == PairCommandKind.Remove ? null : source, target, replaces);
    }

    /// <summary>Writes as another program does, between two steps of the commands.</summary>
    private void Meddle()
    {
        if (!_hasConditions)
        {
            foreach (RequestStep step in _turns.Steps.Where(step => step.IsLookup))
            {
                _untouchable.UnionWith(_places.SelectMany(place => Names.Where(name => place.IsLookedUpBy(step, name)).Select(name => (place, name))));
            }
        }

        if (_random.NextDouble() < _writes)
        {
            (CopyPlace place, string name) = (_places[_random.Next(_places.Length)], Names[_random.Next(Names.Length)]);
            if (!_untouchable.Contains((place, name)))
            {
                Write(place, name);
            }
        }
    }

    private void Write(CopyPlace place, string name)
    {
        string content = $"{_written.Count:00000000}";
        if (place.Write(name, content) is { } before)
        {
            _replaced.Add(before);
        }

        _written.Add(new Written(place, name, content, _turns.Now));
        _log.Add($"{_turns.Now}: {content} is written to {name} in {place.Name}");
    }

    /// <summary>Returns whether a command was told to delete or replace a content at its target.</summary>
    private bool MayLose(PairCommand command, int number, Written one)
    {
        // The content can be at another place only if somebody has written the name there.
        int? since = one.Place == command.Target ? one.Time : FirstWrite(command.Target, one.Name);
        return since is { } time && time <= (command.Replaces ? _ended[number] : GetListed(command, number));
    }

    /// <summary>Gets when a command listed its target.</summary>
    private int GetListed(PairCommand command, int number)
    {
        if (command.Kind is PairCommandKind.Copy or PairCommandKind.Move)
        {
            return -1; // it replaces nothing
        }

        RequestStep[] own = [.. _turns.Steps.Where(step => step.Command == number)];
        return command.Target.IsFolder
            ? own.FirstOrDefault(step => !step.IsListing)?.Time - 1 ?? _ended[number] // a small folder is read completely before anything is done
            : own.LastOrDefault(command.Target.IsListedBy)?.Time ?? -1;
    }

    /// <summary>Gets when a command may have written a name of a place for the first time; null if none has.</summary>
    private int? FirstWrite(CopyPlace place, string name) => _turns.Steps
        .Where(step => place.IsFolder
            ? _commands[step.Command].Target == place && step.Method == "GET" && step.Path.EndsWith("/" + name, StringComparison.Ordinal)
            : place.Has(step, name) && step.Method is "PUT" or "POST")
        .Select(step => (int?)step.Time).FirstOrDefault();

    /// <summary>A content, and where and when it was written first.</summary>
    private sealed record Written(CopyPlace Place, string Name, string Content, int Time);
}
