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

    public static async Task PutAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        if (exchange.Server.Options.Directory is not null)
        {
            throw S3Errors.NotImplemented("versioning"); // versions are in memory only
        }

        string? status = null;
        XmlRequest.Read(
            await RequestXml.ReadAsync(exchange).ConfigureAwait(false),
            Root,
            group: null,
            onGroup: null,
            (name, text) => status = name == "Status" ? text : throw S3Errors.NotImplemented(name));
        bucket.SetVersioning(status switch { Enabled => true, Suspended => false, _ => throw S3Errors.MalformedXml() });
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }
}
