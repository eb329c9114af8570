using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Server;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer serve</c>: runs the embedded server until it is interrupted.</summary>
internal sealed class ServeCommand : ToolCommand
{
    private const int DefaultPort = 9000;
    private const long MinBytesPerSecond = 1024;
    private static readonly TimeSpan MaxFirstByteDelay = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan MaxRestoreTime = TimeSpan.FromDays(2);
    private readonly Option<string?> _host = Declare.Text("--host", "ADDRESS", "IP address to listen on. Default: 127.0.0.1.");
    private readonly Option<string?> _port = Declare.Text("--port", "N", "Port to listen on, or 0 for any free port. Default: 9000.");
    private readonly Option<string?> _dir = Declare.Text("--dir", "FOLDER", "Store objects in a folder. Default: in memory.");
    private readonly Option<bool> _discard = Declare.RareFlag("--discard", "Store sizes and checksums but no content. Reads return zeros.");
    private readonly Option<string?> _ttfb = Declare.Text("--ttfb", "TIME", "Delay the first byte of every response, such as 40ms.");
    private readonly Option<string?> _connectionRate = Declare.RareText("--connection-rate", "SIZE", "Maximum rate of one connection per second, such as 40MiB.");
    private readonly Option<string?> _restoreTime = Declare.RareText("--restore-time", "TIME", "Time until a restored copy of an archived object can be read. Default: 0.");
    private readonly Option<string?> _maxRequests = Declare.RareText("--max-requests", "N", "Respond with 503 SlowDown to more than N concurrent requests.");
    private readonly Option<string?> _linkRate = Declare.Text("--link-rate", "SIZE", "Maximum rate of all connections together per second, such as 800MiB.");
    private readonly Option<string?> _accessKey = Declare.Text("--access-key", "ID", "Access key ID that clients must use. Default: transfer. [env: AWS_ACCESS_KEY_ID together with AWS_SECRET_ACCESS_KEY]");
    private readonly Option<string?> _secretKey = Declare.Text("--secret-key", "SECRET", "Secret access key that clients must use. Prefer the variable TRANSFER_SECRET_KEY, which the process list doesn't show. Default: transfer-secret.");
    private readonly Option<string[]> _buckets = Declare.Texts("--bucket", "NAME", "Create a bucket at startup. Repeatable. Default: bucket, or none with --dir.");
    private readonly Option<bool> _anonymous = Declare.RareFlag("--anonymous", "Accept unsigned requests, too.");
    private readonly Option<bool> _publicAcls = Declare.RareFlag("--public-acls", "Accept predefined access control lists, such as public-read. Default: reject them, as new buckets of Amazon S3 do.");

    private readonly Option<string?> _certificate = Declare.RareText("--certificate", "FILE", "Serve HTTPS with the certificate and the private key in a PEM file.");
    private readonly Option<string[]> _faults = Declare.Texts("--fault", "NAME=PROBABILITY", "Inject a fault, such as slow-down=0.05. Repeatable. An unknown name lists all of them.");
    private readonly Option<string?> _faultSeed = Declare.RareText("--fault-seed", "N", "Seed of --fault: with the same seed, the same requests in the same order fail in the same way. Default: 0.");

    private readonly Option<string[]> _refuse = Declare.RareTexts("--refuse", "ABILITY", "Respond with 501 to requests that use an ability, such as put-if-absent. Repeatable. An unknown name lists all of them.");
    private readonly Option<string[]> _ignore = Declare.RareTexts("--ignore", "ABILITY", "Carry out requests as if they didn't use an ability, such as put-if-absent. Repeatable.");

    private readonly Option<string?> _replay = Declare.RareText("--replay", "FILE", "Answer requests as the store did whose requests and responses --trace wrote to a file. The data of objects is zeros.");

    public ServeCommand(CommandRunner runner)
        : base(
            runner, "serve", group: "Other", summary: "Run a server for tests",
            description: "Run an S3-compatible server on this machine, for tests and measurements. Press Ctrl+C to stop.")
    {
        Examples =
        [
            ("transfer serve --bucket test", "Store objects in memory, on port 9000"),
            ("transfer serve --dir ./data --port 0", "Store objects in a folder, on any free port"),
            ("transfer serve --discard --ttfb 40ms --connection-rate 40MiB --link-rate 800MiB", "Simulate a remote store"),
            ("transfer serve --ignore put-if-absent --refuse attributes", "Simulate a store with fewer abilities"),
            ("transfer serve --replay trace.har", "Do again what another store did"),
            ("transfer serve --fault slow-down=0.05 --fault reset-in-body=0.01", "Simulate a store with failures"),
        ];
        Notes = ["Exit codes: 0 stopped by Ctrl+C or SIGTERM, 1 failure, 2 usage or configuration error."];
        this.AddGroup("Server", _host, _port, _certificate, _dir, _buckets, _discard);
        this.AddGroup("Access", _accessKey, _secretKey, _anonymous, _publicAcls);
        this.AddGroup("Simulation", _ttfb, _connectionRate, _linkRate, _maxRequests, _restoreTime, _faults, _faultSeed, _refuse, _ignore, _replay);
        this.AddGroup("Output", Output.Quiet);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        using X509Certificate2? certificate = Certificate(invocation.Values);
        EmbeddedS3ServerOptions options = Resolve(invocation.Values, certificate);
        invocation.EndPlanning(options.Faults is null ? "a server without --fault" : "serve", options);
        EmbeddedS3Server server;
        try
        {
            server = await EmbeddedS3Server.StartAsync(options, cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentException e)
        {
            throw new UsageException(AbilityText.Translate(OptionNames.Translate(e.Message)), e);
        }

        await using (server.ConfigureAwait(false))
        {
            if (!invocation.Output.Quiet)
            {
                WriteBanner(invocation.Console.Error, server, options);
            }

            await WaitAsync(cancellationToken).ConfigureAwait(false);
            invocation.Summary($"stopped after {Count(server.Statistics)}");
        }
    }

    private static string Count(ServerStatistics statistics)
    {
        string requests = Units.Count(statistics.TotalRequests, "request", "requests");
        string faults = string.Join(", ", statistics.Faults.Select(static fault => $"{EnumText.Name(fault.Key)} {Units.Number(fault.Value)}"));
        return faults.Length > 0 ? $"{requests}; faults: {faults}" : requests;
    }

    /// <summary>Waits for an interruption, which isn't a failure for a server.</summary>
    private static async Task WaitAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource interrupted = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = cancellationToken.Register(interrupted.SetResult);
        await interrupted.Task.ConfigureAwait(false);
    }

    private EmbeddedS3ServerOptions Resolve(OptionValues values, X509Certificate2? certificate)
    {
        EmbeddedS3ServerOptions defaults = new();
        GivenValue? id = values.Find(_accessKey);
        GivenValue? secret = values.Find(_secretKey);
        if (id is null && secret is null && Connections.AccessKeys.Find(values.Environment) is { } keys)
        {
            id = new GivenValue("AWS_ACCESS_KEY_ID", keys.Id);
            secret = new GivenValue("AWS_SECRET_ACCESS_KEY", keys.Secret);
        }

        return new EmbeddedS3ServerOptions
        {
            Host = values.Find(_host)?.Text ?? defaults.Host,
            Port = values.Number(_port, 0, ushort.MaxValue) ?? DefaultPort,
            Directory = values.Find(_dir)?.Text,
            Discard = values.IsOn(_discard),
            FirstByteDelay = values.Read<TimeSpan>(
                _ttfb, (string text, out TimeSpan time) => DurationText.TryParse(text, out time) && time <= MaxFirstByteDelay, $"a time up to 5m: {DurationText.Accepted}") ?? TimeSpan.Zero,
            ConnectionBytesPerSecond = Rate(values, _connectionRate),
            LinkBytesPerSecond = Rate(values, _linkRate),
            RestoreTime = values.Read<TimeSpan>(
                _restoreTime, (string text, out TimeSpan time) => DurationText.TryParse(text, out time) && time <= MaxRestoreTime, $"a time up to 2d: {DurationText.Accepted}") ?? TimeSpan.Zero,
            MaxRequests = values.Read<int>(_maxRequests, (string text, out int number) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number > 0, "a number of at least 1"),
            AccessKeyId = id?.Text ?? defaults.AccessKeyId,
            SecretAccessKey = secret?.Text ?? defaults.SecretAccessKey,
            AllowAnonymous = values.IsOn(_anonymous),
            AllowPublicAcls = values.IsOn(_publicAcls),
            Certificate = certificate,
            Replay = values.Find(_replay)?.Text,
            Refuses = Abilities(values, _refuse),
            Ignores = Abilities(values, _ignore),
            Faults = Faults(values, isHttps: certificate is not null),
            Buckets = values.Lines(_buckets) is { Count: > 0 } named ? named : values.Find(_dir) is null && values.Find(_replay) is null ? ["bucket"] : [],
        };
    }

    private X509Certificate2? Certificate(OptionValues values)
    {
        if (values.Find(_certificate) is not { } given)
        {
            return null;
        }

        try
        {
            return X509Certificate2.CreateFromPemFile(given.Text);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw OptionValues.Wrong(given, $"a file with a certificate and its private key in PEM form ({FileError.GetReason(e)})");
        }
    }

    private static IReadOnlyCollection<ServerAbility> Abilities(OptionValues values, Option<string[]> option)
        => [.. values.Lines(option).Select(text => OptionValues.Convert<ServerAbility>(new GivenValue(option.Name, text), EnumText.TryParse, AbilityText.Accepted))];

    private FaultPlan? Faults(OptionValues values, bool isHttps)
    {
        Dictionary<ServerFault, double> probabilities = [];
        foreach (string text in values.Lines(_faults))
        {
            GivenValue given = new(_faults.Name, text);
            (ServerFault fault, double probability) = OptionValues.Convert<KeyValuePair<ServerFault, double>>(given, FaultText.TryParse, FaultText.Accepted);
            probabilities[fault] = probability;
            if (probabilities.Values.Sum() > 1)
            {
                throw OptionValues.Wrong(given, "probabilities whose sum is at most 1");
            }

            if (fault == ServerFault.FailHandshake && !isHttps)
            {
                throw OptionValues.Wrong(given, "this fault only together with --certificate");
            }
        }

        if (probabilities.Count == 0)
        {
            return null;
        }

        return new FaultPlan { Probabilities = probabilities, Seed = values.Number(_faultSeed, 0, int.MaxValue) ?? 0 };
    }

    private static long? Rate(OptionValues values, Option<string?> option)
        => values.Read<long>(
            option,
            (string text, out long rate) => ByteSize.TryParseRate(text, out rate) && rate >= MinBytesPerSecond,
            $"at least 1 KiB per second: {OptionValues.AcceptedSize}");

    /// <summary>Writes the text that is shown when the server is ready: its address and commands to copy.</summary>
    private static void WriteBanner(TextWriter error, EmbeddedS3Server server, EmbeddedS3ServerOptions options)
    {
        string endpoint = server.Endpoint.GetLeftPart(UriPartial.Authority);
        bool isDefaultSecret = server.SecretAccessKey == new EmbeddedS3ServerOptions().SecretAccessKey;
        error.WriteLine($"Serving S3 on {endpoint} ({Storage(options)}). Press Ctrl+C to stop.");
        error.WriteLine();
        error.WriteLine($"  export AWS_ENDPOINT_URL_S3={endpoint} AWS_ACCESS_KEY_ID={Printable.Text(server.AccessKeyId)}");
        error.WriteLine($"  export AWS_SECRET_ACCESS_KEY={(isDefaultSecret ? server.SecretAccessKey : "...   # the secret access key of the server")}");
        error.WriteLine(options.Buckets.Count > 0 ? $"  transfer cp README.md s3://{Printable.Text(options.Buckets[0])}/" : "  transfer ls");
        error.Flush();
    }

    private static string Storage(EmbeddedS3ServerOptions options) => options switch
    {
        { Replay: { } file } => $"the responses in {Printable.Text(file)}",
        { Directory: { } folder } => $"objects in {Printable.Text(folder)}",
        { Discard: true } => "content is discarded",
        _ => "objects in memory",
    };
}
