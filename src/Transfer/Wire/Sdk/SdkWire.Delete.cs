using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.Wire.Sdk;

/// <content>Deletions.</content>
internal sealed partial class SdkWire
{
    public Task<DeletedObject> DeleteObjectAsync(ObjectAddress address, string? ifMatch, CancellationToken cancellationToken)
    {
        DeleteObjectRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = address.VersionId,
            IfMatch = ifMatch,
            RequestPayer = Payer(address),
        };
        return SendAsync(
            request,
            s3.DeleteObjectAsync,
            static response =>
            {
                if (response?.HttpStatusCode != HttpStatusCode.NoContent) // no page has this status
                {
                    CheckOrigin(response);
                }

                return new DeletedObject(NullIfEmpty(response?.VersionId), response?.DeleteMarker == "true");
            },
            cancellationToken);
    }

    public async Task<IReadOnlyList<RefusedDeletion>> DeleteObjectsAsync(
        string bucket, IReadOnlyList<ObjectDeletion> objects, ReadAccess access, CancellationToken cancellationToken)
    {
        DeleteObjectsRequest request = new()
        {
            BucketName = bucket,
            Objects = [.. objects.Select(static item => new KeyVersion { Key = item.Key, VersionId = item.VersionId, ETag = item.IfMatch })],
            Quiet = true,
            RequestPayer = Payer(access),
        };
        try
        {
            return await SendAsync(request, s3.DeleteObjectsAsync, Convert, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e.InnerException is DeleteObjectsException { Response: { } response })
        {
            return Convert(response); // the SDK throws when an object was not deleted
        }

        static IReadOnlyList<RefusedDeletion> Convert(DeleteObjectsResponse? response)
        {
            List<DeleteError> errors = response?.DeleteErrors ?? [];
            if (errors.Count == 0 && response?.DeletedObjects is not { Count: > 0 })
            {
                CheckOrigin(response); // the SDK accepts any XML as the result
            }

            StoreResponse origin = new(response?.HttpStatusCode ?? 0, NullIfEmpty(response?.ResponseMetadata?.RequestId), null, IsOfStore: true);
            return [.. errors.Select(error => RefusedDeletion.From(error.Key, NullIfEmpty(error.VersionId), error.Code, error.Message, origin))];
        }
    }

    /// <summary>Rejects a response that isn't that of a store, so that it isn't known whether the store has carried out the request. That of a mock has no metadata.</summary>
    private static void CheckOrigin(AmazonWebServiceResponse? response)
    {
        if (response is { ResponseMetadata: { } metadata } && string.IsNullOrEmpty(metadata.RequestId))
        {
            throw new StoreResponse(response.HttpStatusCode, null, null, IsOfStore: false).Unclear("it has no request ID");
        }
    }
}
