using System.Net;
using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.Wire.Sdk;

internal sealed partial class SdkWire
{
    public Task<Page<ListedBucket>> ListBucketsAsync(PageEnd? after, CancellationToken cancellationToken)
        => SendAsync(new ListBucketsRequest { ContinuationToken = after?.Marker.Token }, s3.ListBucketsAsync, response =>
        {
            CheckIsS3(response, response.Owner?.Id, response.Buckets is { Count: > 0 });
            PageMarker? next = NullIfEmpty(response.ContinuationToken) is { } token ? new PageMarker(token) : null;
            ListedBucket[] buckets = [.. (response.Buckets ?? []).Select(static bucket => new ListedBucket { Name = bucket.BucketName, Created = ToOffset(bucket.CreationDate) })];
            return new Page<ListedBucket>(PageRules.Buckets, string.Empty, buckets, next is not null, next, after);
        }, cancellationToken);

    public Task SetTagsAsync(ObjectAddress address, IReadOnlyDictionary<string, string> tags, CancellationToken cancellationToken)
    {
        if (tags.Count == 0)
        {
            DeleteObjectTaggingRequest deletion = new() { BucketName = address.Bucket, Key = address.Key, VersionId = address.VersionId };
            return SendAsync(deletion, s3.DeleteObjectTaggingAsync, static response => response, cancellationToken);
        }

        PutObjectTaggingRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = address.VersionId,
            RequestPayer = Payer(address),
            Tagging = new Tagging { TagSet = [.. tags.Select(static tag => new Tag { Key = tag.Key, Value = tag.Value })] },
        };
        return SendAsync(request, s3.PutObjectTaggingAsync, static response => response, cancellationToken);
    }

    public Task RestoreObjectAsync(ObjectAddress address, int days, CancellationToken cancellationToken) => SendAsync(
        new RestoreObjectRequest { BucketName = address.Bucket, Key = address.Key, VersionId = address.VersionId, Days = days, RequestPayer = Payer(address) },
        s3.RestoreObjectAsync,
        static response => response,
        cancellationToken);

    public Task CreateBucketAsync(string bucket, CancellationToken cancellationToken)
        => SendAsync(new PutBucketRequest { BucketName = bucket, UseClientRegion = true }, s3.PutBucketAsync, static response => response, cancellationToken);

    public Task DeleteBucketAsync(string bucket, CancellationToken cancellationToken)
        => SendAsync(new DeleteBucketRequest { BucketName = bucket }, s3.DeleteBucketAsync, static response => response, cancellationToken);

    /// <summary>Gets the owner that the bucket of a request must have; null for any.</summary>
    private string? GetOwner(AmazonWebServiceRequest request) => request is ListBucketsRequest or PutBucketRequest ? null : settings.ExpectedBucketOwner;

    private WireException Translate(Exception e, AmazonWebServiceRequest request, CancellationToken cancellationToken)
    {
        WireException failure = SdkErrors.Translate(e, cancellationToken);
        failure.Hint ??= BucketOwnerHint.Find(failure, GetOwner(request));
        return failure;
    }

    /// <summary>Prepares a request: redirections to other stores are rejected, and another owner of the bucket is.</summary>
    private T Prepare<T>(T request)
        where T : AmazonWebServiceRequest
    {
        if (GetOwner(request) is { } owner)
        {
            bool isCopy = request is CopyObjectRequest or CopyPartRequest;
            ((IAmazonWebServiceRequest)request).AddBeforeRequestHandler((_, e) =>
            {
                if (e is WebServiceRequestEventArgs { Headers: { } headers })
                {
                    headers["x-amz-expected-bucket-owner"] = owner;
                    if (isCopy)
                    {
                        headers["x-amz-source-expected-bucket-owner"] = owner;
                    }
                }
            });
        }

        if (!_isGuarded)
        {
            SdkRedirectGuard.Install(s3);
            _isGuarded = true;
        }

        return SdkRedirectGuard.Watch(request);
    }

    /// <summary>Sends a request, and converts its response.</summary>
    /// <param name="request">The request.</param>
    /// <param name="send">Sends the request.</param>
    /// <param name="convert">Converts the response.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="wait">Waits for the response; null if a canceled request can be abandoned at once.</param>
    private async Task<TResult> SendAsync<TRequest, TResponse, TResult>(
        TRequest request,
        Func<TRequest, CancellationToken, Task<TResponse>> send,
        Func<TResponse, TResult> convert,
        CancellationToken cancellationToken,
        Func<Task<TResponse>, Task<TResponse>>? wait = null)
        where TRequest : AmazonWebServiceRequest
    {
        for (bool isFirst = true; ; isFirst = false)
        {
            try
            {
                Task<TResponse> call = send(Prepare(request), cancellationToken);
                TResponse response = await (wait is null ? LateResults.WaitAsync(call, cancellationToken) : wait(call)).ConfigureAwait(false);
                Trace(response as AmazonWebServiceResponse, error: null);
                return convert(response);
            }
            catch (Exception e)
            {
                Trace(response: null, e as AmazonServiceException);
                WireException failure = Translate(e, request, cancellationToken);
                if (!SdkClock.TryCorrect(request, failure) || !isFirst)
                {
                    throw failure;
                }
            }

            Rewind(request);
        }
    }

    /// <summary>Tells the observer of a request its response, which can be that of a decorator or a mock, and where it was sent to, if only the configuration knows that.</summary>
    private void Trace(AmazonWebServiceResponse? response, AmazonServiceException? error)
    {
        if (RequestTrace.Current is not { } trace)
        {
            return;
        }

        if (response is not null)
        {
            trace.Answered(GetStatus(response.HttpStatusCode), NullIfEmpty(response.ResponseMetadata?.RequestId), GetExtendedId(response.ResponseMetadata));
        }
        else if (error is not null)
        {
            trace.Answered(GetStatus(error.StatusCode), NullIfEmpty(error.RequestId), NullIfEmpty((error as AmazonS3Exception)?.AmazonId2));
        }

        if (trace.Endpoint is null && Uri.TryCreate(s3.Config?.ServiceURL, UriKind.Absolute, out Uri? address))
        {
            trace.Sent(Http.StoreEndpoint.At(address, "/", string.Empty), region: null);
        }

        static HttpStatusCode? GetStatus(HttpStatusCode status) => status == 0 ? null : status;
    }

    /// <summary>Rewinds the body of a request that is sent again.</summary>
    private static void Rewind(AmazonWebServiceRequest request)
    {
        if ((request as PutObjectRequest)?.InputStream is { } content)
        {
            content.Position = 0;
        }
        else if ((request as UploadPartRequest)?.InputStream is { } part)
        {
            part.Position = 0;
        }
    }
}
