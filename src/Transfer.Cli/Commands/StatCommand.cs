using System.CommandLine;
using System.Globalization;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer stat</c>: shows the properties of an object.</summary>
internal sealed class StatCommand : StoreCommand
{
    private const int NameCells = 21;
    private const string Command = "stat";
    private readonly ReadOptions _read = new();
    private readonly Argument<string[]> _addresses = new("s3://BUCKET/KEY...")
    {
        Arity = ArgumentArity.OneOrMore,
        Description = "The objects. One that fails doesn't stop the others.",
    };

    private readonly Option<bool> _parts = Declare.Flag(
        "--parts", "Also list the parts in which the object was uploaded, with their checksums. Takes at least one more request. Amazon S3 lists parts only if the object has a checksum.");

    public StatCommand(CommandRunner runner)
        : base(
            runner, Command, group: "List and inspect", summary: "Show object properties",
            description: "Show the properties of an object with a single HEAD request: size, times, ETag, checksum, headers, and metadata. With --json, each part is a line, too.")
    {
        Examples =
        [
            ("transfer stat s3://bucket/big.iso", "Show the properties of an object"),
            ("transfer stat s3://bucket/a s3://bucket/b", "Show the properties of several objects"),
            ("transfer stat --parts s3://bucket/big.iso", "Also list the parts it was uploaded in"),
            ("transfer stat --json s3://bucket/big.iso", "Write the properties as JSON"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or no such object, 2 usage or configuration error, 130 interrupted."];
        Add(_addresses);
        this.AddGroup("Object", _read.VersionId, _read.RequesterPays, _read.CustomerKeyFile, _parts);
        AddStore(entries: true);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location[] addresses = [.. line.GetRequiredValue(_addresses).Select(text => Location.ParseObject(text, Name))];
        ReadSettings read = new(invocation.Values, _read);
        ObjectAccessOptions options = new() { VersionId = addresses.Length == 1 ? read.VersionId : null, RequesterPays = read.RequesterPays, CustomerKey = read.CustomerKey };
        bool withParts = invocation.Values.Flag(_parts);
        return UseStoreAsync(
            invocation,
            addresses.Length == 1 ? Name : "several objects",
            [options, withParts],
            connection => UseClientAsync(
                connection,
                invocation,
                client => EachAddress.RunAsync(
                    addresses, invocation, address => ShowAsync(connection, client, address, options, withParts, addresses.Length > 1, invocation, cancellationToken), cancellationToken)),
            cancellationToken);
    }

    private static async Task ShowAsync(
        Connection connection, TransferClient client, Location address, ObjectAccessOptions options, bool withParts, bool namesBucket, Invocation invocation, CancellationToken cancellationToken)
    {
        try
        {
            await ShowAsync(client, address, options, withParts, namesBucket, invocation, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (KeyAdvice.IsMissing(e))
        {
            throw await new KeyAdvice(connection, invocation).ExplainAsync(
                address, prefix => $"'transfer ls {prefix}' lists them", options.RequesterPays, e, cancellationToken, Command).ConfigureAwait(false);
        }
    }

    private static async Task ShowAsync(
        TransferClient client, Location address, ObjectAccessOptions options, bool withParts, bool namesBucket, Invocation invocation, CancellationToken cancellationToken)
    {
        ObjectInfo info = await client.GetInfoAsync(address.Bucket, address.Key, options, cancellationToken).ConfigureAwait(false);
        ObjectPropertiesJson properties = Convert(address.Key, info) with { Bucket = namesBucket ? address.Bucket : null };
        Write(address, properties, invocation);
        invocation.Tally.Objects++;
        if (!withParts)
        {
            return;
        }

        long listed = 0;
        ObjectAccessOptions ofVersion = options with { VersionId = options.VersionId ?? (info.VersionId == "null" ? null : info.VersionId) };
        await foreach (ListedPart part in client.ListPartsAsync(address.Bucket, address.Key, ofVersion, cancellationToken).ConfigureAwait(false))
        {
            listed++;
            Write(new ObjectPartJson(part.Number, part.Length, StoredChecksumJson.From(part.Checksum)), invocation);
        }

        if (listed == 0 && properties.Parts is { } count)
        {
            invocation.Warning($"the store does not list the {Units.Count(count, "part", "parts")} of the object");
        }
    }

    private static ObjectPropertiesJson Convert(string key, ObjectInfo info) => new()
    {
        Key = key,
        Size = info.Length,
        LastModified = info.LastModified,
        ETag = info.ETag,
        VersionId = info.VersionId,
        StorageClass = info.StorageClass ?? "STANDARD",
        ContentType = info.ContentType,
        ContentEncoding = info.ContentEncoding,
        ContentLanguage = info.ContentLanguage,
        ContentDisposition = info.ContentDisposition,
        CacheControl = info.CacheControl,
        Expires = info.ExpiresText,
        Encryption = info.Encryption,
        Restore = info.Restore switch
        {
            { IsInProgress: true } => "in progress",
            { Until: { } until } => $"until {until.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC",
            _ => null,
        },
        Checksum = StoredChecksumJson.From(info.Checksum),
        Parts = GetPartCount(info.ETag),
        Tags = info.TagCount is > 0 ? info.TagCount : null,
        Metadata = info.Metadata.ToDictionary(),
    };

    /// <summary>Gets the number of parts from an ETag such as "0123…-3".</summary>
    private static int? GetPartCount(string? etag)
        => etag?.Trim('"').Split('-') is [_, { } count] && int.TryParse(count, out int parts) && parts > 0 ? parts : null;

    private static void Write(Location address, ObjectPropertiesJson properties, Invocation invocation)
    {
        if (invocation.Output.Json)
        {
            CommandRunner.WriteJson(invocation.Console.Output, properties, ToolJsonContext.Default.ObjectPropertiesJson);
            return;
        }

        string exact = properties.Size < 1024 ? string.Empty : $" ({Units.Number(properties.Size)} bytes)";
        string? modified = properties.LastModified is { } time ? TimeText.Get(time) : null;
        string? checksum = properties.Checksum is { } sum ? $"{sum.Algorithm} {sum.Value}{(sum.Type == "composite" ? " (composite)" : string.Empty)}" : null;
        TextWriter output = invocation.Console.Output;
        output.WriteLine(Printable.Text(address.ToString()));
        Property(output, "Size", ByteSize.Format(properties.Size) + exact);
        Property(output, "Last modified", modified);
        Property(output, "ETag", properties.ETag);
        Property(output, "Version", properties.VersionId);
        Property(output, "Storage class", properties.StorageClass);
        Property(output, "Content type", properties.ContentType);
        Property(output, "Content encoding", properties.ContentEncoding);
        Property(output, "Content language", properties.ContentLanguage);
        Property(output, "Content disposition", properties.ContentDisposition);
        Property(output, "Cache control", properties.CacheControl);
        Property(output, "Expires", properties.Expires);
        Property(output, "Encryption", properties.Encryption);
        Property(output, "Restored", properties.Restore);
        Property(output, "Checksum", checksum);
        Property(output, "Parts", properties.Parts?.ToString(CultureInfo.InvariantCulture));
        Property(output, "Tags", properties.Tags?.ToString(CultureInfo.InvariantCulture));
        foreach ((string name, string value) in properties.Metadata.OrderBy(pair => pair.Key, StringComparer.Ordinal))
        {
            Property(output, "Metadata", $"{name}={value}");
        }
    }

    private static void Write(ObjectPartJson part, Invocation invocation)
    {
        if (invocation.Output.Json)
        {
            CommandRunner.WriteJson(invocation.Console.Output, part, ToolJsonContext.Default.ObjectPartJson);
            return;
        }

        string checksum = part.Checksum is { } sum ? $"  {sum.Algorithm} {sum.Value}" : string.Empty;
        Property(invocation.Console.Output, $"Part {part.Part.ToString(CultureInfo.InvariantCulture)}", ByteSize.Format(part.Size) + checksum);
    }

    /// <summary>Writes a line, unless there is no value. Values come from the store, so they must not control a terminal or look like other lines.</summary>
    private static void Property(TextWriter output, string name, string? value)
    {
        if (value is not null)
        {
            output.WriteLine($"  {(name + ":").PadRight(NameCells)} {Printable.Text(value)}");
        }
    }
}
