using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Keeps the headers, metadata, and tags of an object that is copied through this machine, as a copy inside the store does.</summary>
internal sealed class SourceProperties(Location source, CopySettings copy, IAmazonS3 s3, Invocation invocation)
{
    /// <summary>Adds the properties of the source to the options of the command line.</summary>
    /// <param name="given">The options of the upload. Their values are kept.</param>
    /// <param name="info">The properties of the source.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<UploadOptions> AddToAsync(UploadOptions given, ObjectInfo info, CancellationToken cancellationToken) => given with
    {
        ContentType = given.ContentType ?? Sendable("Content-Type", info.ContentType),
        CacheControl = given.CacheControl ?? Sendable("Cache-Control", info.CacheControl),
        ContentDisposition = given.ContentDisposition ?? Sendable("Content-Disposition", info.ContentDisposition),
        ContentEncoding = given.ContentEncoding ?? Sendable("Content-Encoding", info.ContentEncoding),
        ContentLanguage = given.ContentLanguage ?? Sendable("Content-Language", info.ContentLanguage),
        Expires = given.Expires ?? info.Expires,
        Metadata = given.Metadata ?? info.Metadata.Where(pair => pair.Value.Length == 0 || Sendable($"metadata '{pair.Key}'", pair.Value) is not null).ToDictionary(),
        Tags = given.Tags ?? await ReadTagsAsync(info, cancellationToken).ConfigureAwait(false),
    };

    private async Task<Dictionary<string, string>?> ReadTagsAsync(ObjectInfo info, CancellationToken cancellationToken)
    {
        GetObjectTaggingRequest request = new()
        {
            BucketName = source.Bucket,
            Key = source.Key,
            VersionId = copy.VersionId ?? info.VersionId,
            RequestPayer = copy.RequesterPays ? RequestPayer.Requester : null,
        };
        try
        {
            GetObjectTaggingResponse response = await s3.GetObjectTaggingAsync(request, cancellationToken).ConfigureAwait(false);
            return response.Tagging?.ToDictionary(tag => tag.Key, tag => tag.Value);
        }
        catch (AmazonServiceException e) when (e.StatusCode is HttpStatusCode.NotImplemented or HttpStatusCode.MethodNotAllowed)
        {
            return null; // the store doesn't support tags
        }
        catch (AmazonServiceException e)
        {
            invocation.Warning($"the tags of {source} can't be read and are not copied: {Failure.Of(e, invocation.StoreName, null, cancellationToken).Message}");
            return null;
        }
    }

    /// <summary>Gets a value if it can be sent as a header. Some stores return values that they would reject.</summary>
    private string? Sendable(string name, string? value)
    {
        if (string.IsNullOrEmpty(value) || value.All(character => character is >= ' ' and <= '~'))
        {
            return string.IsNullOrEmpty(value) ? null : value.Trim(' ');
        }

        invocation.Warning($"the {name} of {source} is not copied: it has characters other than printable ASCII");
        return null;
    }
}
