using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer cat</c>: writes objects to standard output.</summary>
internal sealed class CatCommand : StoreCommand
{
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly Argument<string[]> _addresses = new("s3://BUCKET/KEY...")
    {
        Arity = ArgumentArity.OneOrMore,
        Description = "The objects, which are written one after the other.",
    };

    public CatCommand(CommandRunner runner)
        : base(
            runner, "cat", group: "Copy and compare", summary: "Write objects to stdout",
            description: "Write objects to standard output, in the given order. Each object is downloaded with parallel requests and verified. The command stops at the first object that fails.")
    {
        Examples =
        [
            ("transfer cat s3://bucket/report.csv", "Show an object"),
            ("transfer cat s3://bucket/part1 s3://bucket/part2 > whole", "Join two objects"),
            ("transfer cat --range -100 s3://bucket/server.log", "Write the last 100 bytes of an object"),
        ];
        Notes =
        [
            "The content is verified while it is written, so a mismatch is reported after the reader has got the content.",
            "Exit codes: 0 success, 1 failure, 2 usage or configuration error, 3 content mismatch, 130 interrupted.",
        ];
        Add(_addresses);
        this.AddGroup("Object", _read.VersionId, _read.Range, _read.RequesterPays, _read.CustomerKeyFile);
        this.AddGroup("Transfer", _transfer.Checksum);
        _transfer.AddReadingTo(this);
        AddStore();
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location[] objects = [.. line.GetRequiredValue(_addresses).Select(text => Location.ParseObject(text, "cat"))];
        TransferSettings transfer = new(invocation.Values, _transfer, uploads: false);
        ReadSettings read = new(invocation.Values, _read);
        bool isOne = objects.Length == 1;
        ClientLimits limits = transfer.Limits;
        DownloadOptions options = new()
        {
            Verify = transfer.Verifies,
            VersionId = isOne ? read.VersionId : null,
            Range = isOne ? read.Range : null,
            RequesterPays = read.RequesterPays,
            CustomerKey = read.CustomerKey,
        };
        ConnectionSettings store = ResolveStore(invocation.Values);
        invocation.EndPlanning(isOne ? "one object" : "several objects", limits, options, store);
        invocation.Use(store);
        invocation.IsOutputTaken = true;
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await WriteAsync(connection, objects, limits, options, invocation, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Writes objects to standard output, one after the other. Nothing is written to standard error unless something fails.</summary>
    private static async Task WriteAsync(
        Connection connection, IReadOnlyList<Location> objects, ClientLimits limits, DownloadOptions options, Invocation invocation, CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation, limits);
        await using (client.ConfigureAwait(false))
        {
            try
            {
                Stream output = StandardStreams.OpenOutput();
                await using (output.ConfigureAwait(false))
                {
                    foreach (Location one in objects)
                    {
                        Count(invocation.Tally, await DownloadAsync(client, one, output, options, connection, invocation, cancellationToken).ConfigureAwait(false));
                    }
                }
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = client.PeakRentedBytes;
                invocation.Tally.Concurrency = ConcurrencyJson.From(client);
            }
        }
    }

    private static async Task<DownloadResult> DownloadAsync(
        TransferClient client, Location one, Stream output, DownloadOptions options, Connection connection, Invocation invocation, CancellationToken cancellationToken)
    {
        try
        {
            return await client.DownloadAsync(one.Bucket, one.Key, output, options, progress: null, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (KeyAdvice.IsMissing(e))
        {
            throw await new KeyAdvice(connection, invocation).ExplainAsync(
                one, prefix => $"'transfer ls {prefix}' lists them", options.RequesterPays, e, cancellationToken).ConfigureAwait(false);
        }
    }

    private static void Count(Tally tally, DownloadResult result)
    {
        tally.Objects++;
        tally.Bytes += result.Statistics.BytesTransferred;
        tally.Requests += result.Statistics.Requests;
        tally.Retries += result.Statistics.Retries;

        // Times and checksums of several objects have no sum.
        tally.Checksum = tally.Objects == 1 ? ChecksumJson.From(result.Verdict) : ChecksumJson.None;
    }
}
