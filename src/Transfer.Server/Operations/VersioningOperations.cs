using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Returns and sets whether a bucket keeps versions.</summary>
internal static class VersioningOperations
{
    private const string Root = "VersioningConfiguration";
    private const string Enabled = "Enabled";
    private const string Suspended = "Suspended";

    public static Task GetAsync(S3Exchange exchange)
    {
        bool? keepsVersions = exchange.Bucket.KeepsVersions;
        return exchange.AnswerXmlAsync(Root, writer => writer.Element("Status", keepsVersions switch { null => null, true => Enabled, _ => Suspended }));
    }

    /// <exception cref="S3Exception">Thrown when the server stores objects in a folder: versions are in memory only.</exception>
    public static void ThrowIfInFolder(S3Exchange exchange)
    {
        if (exchange.Server.Options.Directory is not null)
        {
            throw S3Errors.NotImplemented("versioning");
        }
    }

    public static async Task PutAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        ThrowIfInFolder(exchange);
        string? status = null;
        XmlRequest.Read(
            await RequestXml.ReadAsync(exchange).ConfigureAwait(false),
            Root,
            group: null,
            onGroup: null,
            (name, text) => status = name switch
            {
                "Status" => text,
                "MfaDelete" or "MFADelete" when text == "Disabled" => status,
                _ => throw S3Errors.NotImplemented(name),
            });
        bool isEnabled = status switch { Enabled => true, Suspended => false, _ => throw S3Errors.MalformedXml() };
        if (!isEnabled && bucket.Settings.Lock is not null)
        {
            throw S3Errors.InvalidBucketState("An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.");
        }

        bucket.SetVersioning(isEnabled);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }
}
