using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Copies an object. Both objects share the content afterwards.</summary>
internal static class CopyObjectOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers, takesAcl: exchange.Server.Options.AllowPublicAcls);
        Bucket bucket = exchange.Bucket;
        WriteCondition condition = WriteCondition.From(exchange);
        (string sourceBucket, StoredObject source) = CopySource.Hold(exchange);
        StoredObject copy;
        try
        {
            copy = await CopyAsync(exchange, sourceBucket, source).ConfigureAwait(false);
        }
        finally
        {
            source.Content.Release();
        }

        await ObjectPublisher.PublishAsync(exchange, bucket, copy, condition).ConfigureAwait(false);
        await exchange.AnswerXmlAsync("CopyObjectResult", writer =>
        {
            writer.Element("LastModified", XmlResponse.Timestamp(copy.LastModified));
            writer.Element("ETag", XmlResponse.QuotedETag(copy.ETag));
            writer.Element("ChecksumType", copy.Checksum.Type.ApiName());
            writer.Element(copy.Checksum.Info.ElementName, copy.Checksum.Value);
        }).ConfigureAwait(false);
    }

    private static async Task<StoredObject> CopyAsync(S3Exchange exchange, string sourceBucket, StoredObject source)
    {
        if (source.Size > ServerDefaults.MaximumPartBytes)
        {
            throw S3Errors.InvalidRequest(
                $"The specified copy source is larger than the maximum allowable size for a copy source: {ServerDefaults.MaximumPartBytes}");
        }

        ObjectAttributes attributes = Attributes(exchange, sourceBucket, source);
        (string etag, ObjectChecksum checksum) = await DigestsAsync(exchange, source).ConfigureAwait(false);
        return new StoredObject
        {
            Key = exchange.Key,
            ETag = etag,
            LastModified = exchange.Server.Now,
            Attributes = attributes,
            Checksum = checksum,
            Content = Content.Join([source.Content]),
        };
    }

    private static ObjectAttributes Attributes(S3Exchange exchange, string sourceBucket, StoredObject source)
    {
        IHeaderDictionary headers = exchange.Http.Request.Headers;
        ObjectAttributes given = ObjectHeaders.Read(headers);
        bool replacesMetadata = Replaces(exchange, "x-amz-metadata-directive");
        bool replacesTags = Replaces(exchange, "x-amz-tagging-directive");
        bool changesClass = headers.ContainsKey("x-amz-storage-class");
        bool isSameObject = sourceBucket == exchange.Target.Bucket && source.Key == exchange.Key && exchange.Bucket.Find(source.Key)?.VersionId == source.VersionId;
        if (isSameObject && !replacesMetadata && !replacesTags && !changesClass)
        {
            throw S3Errors.InvalidRequest(
                "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, "
                + "storage class, website redirect location or encryption attributes.");
        }

        ObjectAttributes basis = replacesMetadata ? given : source.Attributes;
        return basis with
        {
            StorageClass = given.StorageClass,
            Tags = replacesTags ? given.Tags : source.Attributes.Tags,
            Acl = given.Acl,
            LockMode = given.LockMode,
            RetainUntil = given.RetainUntil,
            HasLegalHold = given.HasLegalHold,
        };
    }

    private static bool Replaces(S3Exchange exchange, string directive) => exchange.Header(directive) switch
    {
        null or "COPY" => false,
        "REPLACE" => true,
        string other => throw S3Errors.InvalidArgument($"Unknown {directive}.", directive, other),
    };

    /// <summary>Gets the ETag and checksum of the copy. The copy has one part even if its source has several, so they may have to be computed.</summary>
    private static async Task<(string ETag, ObjectChecksum Checksum)> DigestsAsync(S3Exchange exchange, StoredObject source)
    {
        string? asked = exchange.Header("x-amz-checksum-algorithm");
        ChecksumAlgorithm algorithm = asked is null
            ? source.Checksum.Algorithm
            : (ChecksumInfo.FromApiName(asked) ?? throw S3Errors.InvalidRequest("Checksum algorithm provided is unsupported.")).Algorithm;
        if (source.Parts.Count == 0 && algorithm == source.Checksum.Algorithm)
        {
            return (source.ETag, source.Checksum);
        }

        ReceivedContent read = await ContentReceiver.ReadAsync(exchange, source.Content, algorithm).ConfigureAwait(false);
        return (read.ETag, new ObjectChecksum(algorithm, ChecksumType.FullObject, read.GetChecksum(algorithm)));
    }
}
