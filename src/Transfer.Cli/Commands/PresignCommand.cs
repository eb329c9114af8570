using System.CommandLine;
using System.Globalization;
using Amazon.Runtime;
using Amazon.S3.Model;
using Amazon.S3;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer presign</c>: creates a presigned URL.</summary>
internal sealed class PresignCommand : StoreCommand
{
    /// <summary>The variable with the expiration time of the keys in the environment, as the AWS CLI exports it.</summary>
    private const string ExpirationVariable = "AWS_CREDENTIAL_EXPIRATION";

    private static readonly TimeSpan DefaultLifetime = TimeSpan.FromHours(1);
    private static readonly TimeSpan MinLifetime = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxLifetime = TimeSpan.FromDays(7); // Amazon S3 User Guide, "Sharing objects with presigned URLs"
    private readonly Argument<string> _address = new("s3://BUCKET/KEY") { Description = "The object. It doesn't have to exist yet." };
    private readonly Option<string?> _expires = Declare.Text(
        "--expires", "TIME", "How long the URL works, such as 30m, 2d, or 3600 for seconds: 1s to 7d. Default: 1h.");

    private readonly Option<string?> _method = Declare.Text(
        "--method", "get|put", "What the URL allows: to download the object, or to upload it with one PUT request. Default: get.");

    private readonly Option<string?> _versionId = Declare.Text("--version-id", "ID", "Version of the object to download. Default: the latest.");

    public PresignCommand(CommandRunner runner)
        : base(
            runner, "presign", group: "Manage", summary: "Create a presigned URL",
            description: "Create a presigned URL, which allows anyone who has it to download or upload one object until the URL expires. The URL is computed on this machine, without a request to the store.")
    {
        Examples =
        [
            ("transfer presign s3://bucket/big.iso", "A URL to download an object within an hour"),
            ("transfer presign --expires 7d s3://bucket/big.iso", "A URL to download an object within a week"),
            ("transfer presign --method put s3://bucket/new.iso", "A URL to upload an object: curl -T new.iso URL"),
        ];
        Notes =
        [
            "A URL also stops working when the credentials that signed it expire. A warning says so if they expire earlier.",
            "Exit codes: 0 success, 1 failure, 2 usage or configuration error, 130 interrupted.",
        ];
        Add(_address);
        this.AddGroup("URL", _expires, _method, _versionId);
        AddStore(hideTransfers: true, entries: true);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseObject(line.GetRequiredValue(_address), Name);
        TimeSpan lifetime = invocation.Values.Line(_expires) is { } expires
            ? OptionValues.Convert<TimeSpan>(expires, TryParseLifetime, $"a time from 1s to 7d: {DurationText.AcceptedWithSeconds}")
            : DefaultLifetime;
        HttpVerb method = invocation.Values.Line(_method) is { } given ? OptionValues.Choice<HttpVerb>(given, ["get", "put"], StringComparison.OrdinalIgnoreCase) : HttpVerb.GET;
        string? versionId = invocation.Values.Line(_versionId)?.Text;
        if (method == HttpVerb.PUT && versionId is not null)
        {
            throw new UsageException($"{_versionId.Name} is for a URL to download; an upload always creates the latest version");
        }

        return UseStoreAsync(
            invocation,
            Name,
            [lifetime, method, versionId],
            connection => SignAsync(connection, address, method, versionId, lifetime, invocation),
            cancellationToken);
    }

    protected override ConnectionSettings ResolveStore(OptionValues values)
    {
        ConnectionSettings store = base.ResolveStore(values);
        return store.IsAnonymous ? throw new UsageException($"{Name} signs the URL, and {Store.NoSignRequest.Name} has no credentials to sign it with")
            : store.BucketOwner is not null ? throw new UsageException($"whoever uses the URL sends the request, which can't check the owner of the bucket; omit {Store.BucketOwner.Name}")
            : store;
    }

    private static bool TryParseLifetime(string text, out TimeSpan lifetime)
        => DurationText.TryParseWithSeconds(text, out lifetime) && lifetime >= MinLifetime && lifetime <= MaxLifetime;

    private static async Task SignAsync(Connection connection, Location address, HttpVerb method, string? versionId, TimeSpan lifetime, Invocation invocation)
    {
        DateTimeOffset expires = invocation.Time.GetUtcNow() + lifetime;
        string url = method == HttpVerb.GET ? await SignReadAsync(connection, address, versionId, lifetime, invocation).ConfigureAwait(false)
            : await SignWriteAsync(connection, address, expires).ConfigureAwait(false);
        DateTimeOffset works = await WarnAsync(connection, expires, invocation).ConfigureAwait(false);
        invocation.WriteLine(new PresignedUrlJson(url, method.ToString(), works), ToolJsonContext.Default.PresignedUrlJson, static one => one.Url);
    }

    private static async Task<string> SignReadAsync(Connection connection, Location address, string? versionId, TimeSpan lifetime, Invocation invocation)
    {
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            PresignDownloadOptions options = new() { Lifetime = lifetime, VersionId = versionId };
            return (await client.PresignDownloadAsync(address.Bucket, address.Key, options).ConfigureAwait(false)).OriginalString;
        }
    }

    /// <summary>Signs an upload with one request, whose size isn't known. The library signs only parts with known sizes.</summary>
    private static Task<string> SignWriteAsync(Connection connection, Location address, DateTimeOffset expires) => connection.Client.GetPreSignedURLAsync(new GetPreSignedUrlRequest
    {
        BucketName = address.Bucket,
        Key = address.Key,
        Verb = HttpVerb.PUT,
        Expires = expires.UtcDateTime,
        Protocol = connection.Settings.Endpoint?.Scheme == Uri.UriSchemeHttp ? Protocol.HTTP : Protocol.HTTPS,
    });

    /// <summary>Warns if the credentials expire before the URL, or if that isn't known.</summary>
    /// <returns>When the URL stops working, as far as that is known.</returns>
    private static async Task<DateTimeOffset> WarnAsync(Connection connection, DateTimeOffset expires, Invocation invocation)
    {
        if (FindExpiration(connection, invocation) is { } end)
        {
            if (end < expires)
            {
                invocation.Warning($"the URL stops working at {end.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture)} UTC, when the credentials expire");
                return end;
            }
        }
        else if ((await connection.Credentials.Credentials.GetCredentialsAsync().ConfigureAwait(false)).UseToken)
        {
            invocation.Warning("the credentials are temporary; the URL stops working when they expire, even if that is earlier");
        }

        return expires;
    }

    private static DateTimeOffset? FindExpiration(Connection connection, Invocation invocation)
    {
        if (connection.Credentials.Credentials.Expiration is { } expiration)
        {
            return new DateTimeOffset(expiration.ToUniversalTime());
        }

        return connection.Credentials.Credentials is SessionAWSCredentials
            && DateTimeOffset.TryParse(invocation.Values.Environment.Get(ExpirationVariable), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
            ? time
            : null;
    }
}
