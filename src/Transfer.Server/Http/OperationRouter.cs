using System.Collections.Frozen;
using System.Text;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>Determines the operation of a request. Requests for operations that aren't implemented are rejected.</summary>
internal static class OperationRouter
{
    // Parameters that select another operation or change the meaning of a request. As in S3, other unknown parameters are ignored.
    private static readonly FrozenSet<string> Subresources = new[]
    {
        "accelerate", "acl", "analytics", "annotation", "append", "attributes", "cors", "delete", "encryption", "intelligent-tiering", "inventory",
        "legal-hold", "lifecycle", "location", "logging", "metadataConfiguration", "metadataInventoryTable", "metadataJournalTable",
        "metadataTable", "metrics", "notification", "object-lock", "ownershipControls", "policy", "policyStatus", "publicAccessBlock",
        "renameObject", "replication", "requestPayment", "restore", "retention", "select", "session", "tagging", "torrent", "uploadId", "uploads",
        "versioning", "versions", "website", "abac",
    }.ToFrozenSet(StringComparer.Ordinal);

    public static S3Operation Resolve(string method, RequestTarget target, IHeaderDictionary headers)
    {
        if (HttpMethods.IsOptions(method) && target.Bucket is not null)
        {
            return S3Operation.Preflight; // the query, which can be that of a presigned URL, belongs to the request that may follow
        }

        string? subresource = null;
        foreach ((string name, _) in target.Query.All)
        {
            if (Subresources.Contains(name))
            {
                subresource = subresource is null || subresource == name ? name : throw S3Errors.NotImplemented(name);
            }
        }

        if (target.Bucket is null)
        {
            return Require(method, subresource, method == "GET" && subresource is null ? S3Operation.ListBuckets : S3Operation.Unknown);
        }

        if (target.VersionId is { } version && !KeyVersion.IsId(version))
        {
            throw S3Errors.InvalidArgument("Invalid version id specified", "versionId", version);
        }

        if (target.Key is null)
        {
            S3Operation bucketOperation = OnBucket(method, subresource, target.Query, headers);
            return bucketOperation == S3Operation.CreateBucket || BucketName.IsValid(target.Bucket)
                ? Require(method, subresource, bucketOperation)
                : throw S3Errors.InvalidBucketName(target.Bucket);
        }

        CheckKey(target.Key);
        return Require(method, subresource, OnObject(method, subresource, target.Query, headers));
    }

    /// <exception cref="S3Exception">Thrown when the key is too long.</exception>
    public static void CheckKey(string key)
    {
        int bytes = Encoding.UTF8.GetByteCount(key);
        if (bytes > ServerDefaults.MaximumKeyBytes)
        {
            throw S3Errors.KeyTooLong(bytes);
        }
    }

    private static S3Operation OnBucket(string method, string? subresource, QueryParameters query, IHeaderDictionary headers) => (method, subresource) switch
    {
        ("GET", null) => ListVersion(query),
        ("GET", "location") => S3Operation.GetBucketLocation,
        ("GET", "uploads") => S3Operation.ListMultipartUploads,
        ("GET", "versions") => S3Operation.ListObjectVersions,
        ("GET", "versioning") => S3Operation.GetBucketVersioning,
        ("PUT", "versioning") => S3Operation.PutBucketVersioning,
        ("GET", "tagging") => S3Operation.GetBucketTagging,
        ("PUT", "tagging") => S3Operation.PutBucketTagging,
        ("DELETE", "tagging") => S3Operation.DeleteBucketTagging,
        ("GET", "object-lock") => S3Operation.GetObjectLockConfiguration,
        ("PUT", "object-lock") => S3Operation.PutObjectLockConfiguration,
        ("GET", "acl") => S3Operation.GetBucketAcl,
        ("PUT", "acl") => S3Operation.PutBucketAcl,
        ("GET", "cors") => S3Operation.GetBucketCors,
        ("PUT", "cors") => S3Operation.PutBucketCors,
        ("DELETE", "cors") => S3Operation.DeleteBucketCors,
        ("HEAD", null) => S3Operation.HeadBucket,
        ("PUT", null) => S3Operation.CreateBucket,
        ("DELETE", null) => S3Operation.DeleteBucket,
        ("POST", "delete") => S3Operation.DeleteObjects,
        ("POST", null) when headers.ContentType.ToString().StartsWith("multipart/form-data", StringComparison.OrdinalIgnoreCase) => S3Operation.PostObject,
        _ => S3Operation.Unknown,
    };

    private static S3Operation ListVersion(QueryParameters query) => query["list-type"] switch
    {
        null or "1" => S3Operation.ListObjects,
        "2" => S3Operation.ListObjectsV2,
        string other => throw S3Errors.InvalidArgument("Invalid List Type specified in the request", "list-type", other),
    };

    private static S3Operation OnObject(string method, string? subresource, QueryParameters query, IHeaderDictionary headers)
    {
        bool isCopy = headers.ContainsKey("x-amz-copy-source");
        return (method, subresource) switch
        {
            ("GET", null) => S3Operation.GetObject,
            ("GET", "uploadId") => S3Operation.ListParts,
            ("GET", "attributes") => S3Operation.GetObjectAttributes,
            ("GET", "tagging") => S3Operation.GetObjectTagging,
            ("PUT", "tagging") => S3Operation.PutObjectTagging,
            ("DELETE", "tagging") => S3Operation.DeleteObjectTagging,
            ("GET", "acl") => S3Operation.GetObjectAcl,
            ("PUT", "acl") => S3Operation.PutObjectAcl,
            ("GET", "retention") => S3Operation.GetObjectRetention,
            ("PUT", "retention") => S3Operation.PutObjectRetention,
            ("GET", "legal-hold") => S3Operation.GetObjectLegalHold,
            ("PUT", "legal-hold") => S3Operation.PutObjectLegalHold,
            ("HEAD", null) => S3Operation.HeadObject,
            ("PUT", null) when query.Contains("partNumber") => throw S3Errors.InvalidRequest("partNumber needs an uploadId"),
            ("PUT", null) => isCopy ? S3Operation.CopyObject : S3Operation.PutObject,
            ("PUT", "uploadId") => isCopy ? S3Operation.UploadPartCopy : S3Operation.UploadPart,
            ("DELETE", null) => S3Operation.DeleteObject,
            ("DELETE", "uploadId") => S3Operation.AbortMultipartUpload,
            ("POST", "uploads") => S3Operation.CreateMultipartUpload,
            ("POST", "uploadId") => S3Operation.CompleteMultipartUpload,
            ("POST", "restore") => S3Operation.RestoreObject,
            _ => S3Operation.Unknown,
        };
    }

    private static S3Operation Require(string method, string? subresource, S3Operation operation)
    {
        if (operation != S3Operation.Unknown)
        {
            return operation;
        }

        bool isKnownMethod = method is "GET" or "HEAD" or "PUT" or "POST" or "DELETE";
        throw subresource is null && (!isKnownMethod || method != "POST")
            ? S3Errors.MethodNotAllowed(method)
            : S3Errors.NotImplemented(subresource ?? method);
    }
}
