using System.Collections.Concurrent;
using System.Net;
using Amazon.Runtime;

namespace Transfer.S3.Wire.Http;

/// <content>Requests that must be sent elsewhere: redirections, and buckets in another region.</content>
internal sealed partial class HttpWire
{
    // The buckets whose region was requested after a HEAD request failed without telling why. Another reason must not cost requests each time.
    private readonly ConcurrentDictionary<string, string> _located = new(StringComparer.Ordinal);

    private int _tlsWarnings;

    /// <summary>Adds what to check to an error, without changing where it is thrown.</summary>
    /// <returns><see langword="false"/>.</returns>
    private bool Explain(WireException failure, string bucket, string? owner, SignedRequest request, StoreEndpoint first, StoreEndpoint last)
    {
        failure.Hint ??= EndpointHints.Find(failure, bucket, request.Key.Length == 0, first, last, _endpoints.Service) ?? BucketOwnerHint.Find(failure, owner);
        return false;
    }

    /// <summary>
    /// Remembers the endpoint of a request that was redirected. It must be called only after the response was shown to be that of a store, because each later request for
    /// the bucket is sent there.
    /// </summary>
    private void Learn(string bucket, SignedRequest request)
    {
        if (request.Followed is not { } followed)
        {
            return;
        }

        if (followed.IsLasting)
        {
            _endpoints.Learn(bucket, followed.To);
        }

        if (!followed.From.IsTls && followed.To.IsTls && Interlocked.Exchange(ref _tlsWarnings, 1) == 0)
        {
            Log.RedirectToHttps(_logger, followed.From.Origin, followed.To.Origin);
        }
    }

    /// <summary>Remembers the endpoint of a request that was redirected if the headers of the response show that a store has sent it.</summary>
    private void Learn(string bucket, SignedRequest request, HttpResponseMessage response)
    {
        if (request.Followed is not null && S3ResponseHeaders.Origin(response) is { IsOfStore: true, IsWebPage: false })
        {
            Learn(bucket, request);
        }
    }

    /// <returns>The endpoint of a redirection; null if the response isn't a redirection but another error.</returns>
    private async ValueTask<StoreEndpoint?> FollowAsync(
        StoreEndpoint from,
        string bucket,
        string key,
        Redirection redirection,
        WireException answer,
        ImmutableCredentials? credentials,
        CancellationToken cancellationToken)
    {
        if (redirection is { Region: null, Location: null })
        {
            redirection = redirection with { Region = await FindRegionAsync(from, credentials, cancellationToken).ConfigureAwait(false) };
        }

        StoreEndpoint? next = _endpoints.Follow(from, bucket, key, redirection);

        // The error contains the region that the request was sent to, so something else is wrong with the request. If the error has no body, it may not even
        // be about the region.
        bool isNothingNew = next == from && redirection.Location is null;
        return isNothingNew && answer.ErrorCode is null ? null
            : next is null && redirection.Location is { } location ? throw RedirectHistory.Refuse(
                $"the store redirects a request from {from.Origin} to an address at {location.Authority} that isn't that of the same bucket and key, so it is not followed", answer)
            : isNothingNew || next is null ? throw answer
            : next;
    }

    /// <summary>The error of a HEAD request has no body. Stores other than Amazon S3 don't return the region in a header either.</summary>
    private bool MayBeOfAnotherRegion(WireException failure, SignedRequest request, string bucket)
        => failure is { ErrorCode: null, StatusCode: HttpStatusCode.BadRequest, Elsewhere: null }
            && request.Method == HttpMethod.Head && bucket.Length > 0 && !_located.ContainsKey(bucket);

    /// <returns>The endpoint of a bucket in the region that the store returns for it; null if that isn't another one.</returns>
    private async ValueTask<StoreEndpoint?> LocateAsync(StoreEndpoint from, string bucket, string key, ImmutableCredentials? credentials, CancellationToken cancellationToken)
    {
        string? region = await FindRegionAsync(from, credentials, cancellationToken).ConfigureAwait(false);
        _located[bucket] = bucket;
        return region is null || region == from.Region ? null : _endpoints.Follow(from, bucket, key, new Redirection(region, Location: null, IsLasting: true));
    }

    /// <summary>
    /// Requests the region of a bucket for a response that doesn't contain it. Amazon S3 returns it in every response to HeadBucket, also in the error of another region
    /// (Amazon S3 API Reference, "HeadBucket"). Other stores return it only in the body of an error.
    /// </summary>
    private async ValueTask<string?> FindRegionAsync(StoreEndpoint at, ImmutableCredentials? credentials, CancellationToken cancellationToken)
    {
        SignedRequest location = new(HttpMethod.Get, string.Empty);
        location.Query("location", string.Empty);
        try
        {
            (string? region, HttpStatusCode status) = await FindRegionAsync(at, new SignedRequest(HttpMethod.Head, string.Empty), credentials, cancellationToken).ConfigureAwait(false);
            return region is null && status == HttpStatusCode.BadRequest
                ? (await FindRegionAsync(at, location, credentials, cancellationToken).ConfigureAwait(false)).Region
                : region;
        }
        catch (Exception e)
        {
            throw Translate(e, cancellationToken);
        }
    }

    private async ValueTask<(string? Region, HttpStatusCode Status)> FindRegionAsync(StoreEndpoint at, SignedRequest request, ImmutableCredentials? credentials, CancellationToken cancellationToken)
    {
        using HttpRequestMessage message = request.Build(at, credentials, _signer, signsBody: false, _clock.GetNow(_clock.Offset));
        using HttpResponseMessage response = await _transport.SendAsync(message, cancellationToken).ConfigureAwait(false);
        string? region = S3ResponseHeaders.Get(response, "x-amz-bucket-region") is { Length: > 0 } header ? header
            : response.IsSuccessStatusCode ? null
            : (await HttpErrors.ReadAsync(response, _time, cancellationToken).ConfigureAwait(false)).Elsewhere?.Region;
        return (region, response.StatusCode);
    }
}
