using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Amazon.Runtime;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Stores;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Sends requests over its own connections. Object data is received directly into the caller's buffers, and sent directly from memory.
/// </summary>
internal sealed partial class HttpWire : IObjectWire, IDisposable
{
    private readonly StoreCredentials _credentials;
    private readonly StoreEndpoints _endpoints;
    private readonly RequestSigner _signer = new();
    private readonly HttpTransport _transport;
    private readonly StoreClock _clock;
    private readonly TimeProvider _time;
    private readonly PayloadSigning _signing;
    private readonly StoreProfile _profile;
    private readonly ILogger _logger;
    private readonly bool _expectContinue;
    private readonly string? _owner;

    public HttpWire(AmazonS3Client s3, WireSettings settings, StoreProfile profile)
    {
        _credentials = new StoreCredentials(s3, settings.Time);
        _endpoints = new StoreEndpoints(s3, settings.Logger);
        _logger = settings.Logger;
        _transport = new HttpTransport(s3.Config, settings);
        _clock = new StoreClock(settings.Time);
        _time = settings.Time;
        _signing = settings.PayloadSigning;
        _profile = profile;
        _expectContinue = settings.ExpectContinue;
        _owner = settings.ExpectedBucketOwner;
    }

    public bool SendsExpiresAsText(string bucket) => true;

    public bool SignsBodies(string bucket) => _signing switch
    {
        PayloadSigning.Always => true,
        PayloadSigning.Never => false,
        _ => Find(bucket) is { } endpoint && (!endpoint.KeepsBodiesWhole || _profile.GetSupport(StoreTrait.UnsignedBodies, endpoint.Origin) == StoreSupport.Refused),
    };

    public async Task<RangeResponse> GetRangeAsync(ObjectAddress address, RequestedRange range, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, address.Key) { WantsChecksum = wantChecksum };
        request.Query("versionId", address.VersionId);
        AddAccess(request, address);
        request.Amz("range", range.Header);
        request.Header("If-Match", condition.IfMatch);
        request.Header("If-None-Match", condition.IfNoneMatch);
        request.Header("If-Modified-Since", condition.IfModifiedSince?.ToString("R", CultureInfo.InvariantCulture));
        request.Header("If-Unmodified-Since", condition.IfUnmodifiedSince?.ToString("R", CultureInfo.InvariantCulture));
        request.Header("Accept-Encoding", "identity");
        HttpResponseMessage response = await SendAsync(address.Bucket, request, cancellationToken).ConfigureAwait(false);
        try
        {
            string? requestId = S3ResponseHeaders.RequestId(response);
            _transport.CheckNotDecompressed(response);
            S3ResponseHeaders.Origin(response).Check();
            string? contentRange = S3ResponseHeaders.Content(response, "Content-Range");
            long length = S3ResponseHeaders.Length(response) ?? -1;
            Stream body = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
            if (UnsizedBody.Is(response.StatusCode, contentRange, length, range))
            {
                body = await MeasureAsync(response, body, range, address, cancellationToken).ConfigureAwait(false);
                length = body.Length;
            }

            ReceivedRange answer = ReceivedRange.Check(response.StatusCode, contentRange, length, requestId, range);
            Learn(address.Bucket, request, response);
            body = length < 0 && answer.Length > 0 ? UnsizedBody.OfRange(body, answer.Length) : body;
            return new RangeResponse(answer, S3ResponseHeaders.ToHead(response, answer, address, address.Access.KeepsAnswer, request.ChecksumNotRequested), body, response);
        }
        catch
        {
            response.Dispose();
            throw;
        }
    }

    /// <summary>Determines the length of an object whose response has no Content-Length.</summary>
    private async Task<Stream> MeasureAsync(HttpResponseMessage response, Stream body, RequestedRange range, ObjectAddress address, CancellationToken cancellationToken)
    {
        RequestTrace.Leave();
        try
        {
            return await UnsizedBody.OpenAsync(
                body,
                range.Total,
                response.Headers.TransferEncodingChunked == true,
                S3ResponseHeaders.Get(response, "ETag"),
                async () => await TryHeadAsync(address, cancellationToken).ConfigureAwait(false) ?? throw new WireException(FailureKind.Final, "the response has no valid Content-Length"),
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not WireException)
        {
            throw Translate(e, cancellationToken);
        }
    }

    public void Dispose() => _transport.Dispose();

    /// <summary>Returns whether this wire can sign the requests for a bucket. The first request for a name that isn't valid fails.</summary>
    public bool CanSend(string bucket) => Find(bucket) is not { IsLeftToSdk: true };

    /// <summary>Gets the endpoint of a bucket; null if it has none, which its request reports.</summary>
    private StoreEndpoint? Find(string bucket)
    {
        try
        {
            return _endpoints.For(bucket);
        }
        catch (WireException)
        {
            return null;
        }
    }

    private static void AddPayer(SignedRequest request, ObjectAddress address)
        => request.Amz("x-amz-request-payer", address.Access.RequesterPays ? "requester" : null);

    /// <summary>Adds the access options of an object.</summary>
    private static void AddAccess(SignedRequest request, ObjectAddress address)
    {
        AddPayer(request, address);
        if (address.Access.CustomerKey is { } key)
        {
            request.Amz("x-amz-server-side-encryption-customer-algorithm", CustomerKey.Algorithm);
            request.Amz("x-amz-server-side-encryption-customer-key", key.Base64);
            request.Amz("x-amz-server-side-encryption-customer-key-md5", key.Base64Md5);
        }
    }

    /// <summary>
    /// Sends a request, and returns a successful response before its body is read. A clock difference or expired credentials are corrected once. A redirection is
    /// followed with a signature for its target. If the store may have rejected a body because it is unsigned, it is sent again with a signature. If the store may
    /// have rejected the request for a checksum, the request is sent again without it.
    /// </summary>
    private async Task<HttpResponseMessage> SendAsync(string bucket, SignedRequest request, CancellationToken cancellationToken)
    {
        StoreEndpoint known = _endpoints.For(bucket);
        StoreEndpoint endpoint = known;
        RedirectHistory? trail = null;
        bool isLasting = true;
        bool mended = false;
        TimeSpan clock = _clock.Offset;
        TimeSpan offset = clock;
        FeatureNegotiation feature = NewNegotiation(request);
        string? owner = bucket.Length > 0 && !request.CreatesBucket ? _owner : null;
        request.Amz("x-amz-expected-bucket-owner", owner);
        request.Amz("x-amz-source-expected-bucket-owner", request.IsCopy ? owner : null);

        try
        {
            while (true)
            {
                DateTimeOffset now = _clock.GetNow(offset);
                HttpResponseMessage? response = null;
                ImmutableCredentials? credentials = null;
                WireException failure;
                try
                {
                    credentials = await _credentials.GetAsync(cancellationToken).ConfigureAwait(false);
                    bool isUsed = feature.TryUse(endpoint.Origin, request.Body is null ? request.WantsChecksum && _profile.RequestsChecksums : CanBeUnsigned(request, endpoint, credentials));
                    if (request.WantsChecksum && !isUsed)
                    {
                        request.Remove(StoreProfile.ChecksumModeHeader);
                    }

                    request.Amz(StoreProfile.ChecksumModeHeader, request.WantsChecksum && isUsed ? "ENABLED" : null);

                    bool signsBody = request.SignsBody || (!isUsed && _signing != PayloadSigning.Never);
                    BodySending? sending = BodySending.Current = request.Body is null ? null : new BodySending();
                    using HttpRequestMessage message = request.Build(endpoint, credentials, _signer, signsBody, now);
                    RequestTrace? trace = RequestTrace.Current;
                    trace?.Sent(endpoint, _endpoints.GetAwsRegion(endpoint, endpoint.Region));
                    response = await _transport.SendAsync(message, cancellationToken).ConfigureAwait(false);
                    trace?.Answered(response.StatusCode, S3ResponseHeaders.RequestId(response), S3ResponseHeaders.ExtendedRequestId(response));
                    WireException? error = !response.IsSuccessStatusCode ? await HttpErrors.ReadAsync(response, _time, cancellationToken).ConfigureAwait(false)
                        : !StoreResponse.Fits(response.StatusCode, request.Reads) ? S3ResponseHeaders.Origin(response).OfOtherStatus()
                        : await HttpErrors.ReadHiddenAsync(response, request.ReadsXml || request.Method == HttpMethod.Head, cancellationToken).ConfigureAwait(false);
                    if (error is null && sending?.Failure is { } broken)
                    {
                        throw broken; // the store can't have received the whole body
                    }

                    if (error is null)
                    {
                        if (offset != clock)
                        {
                            _clock.Learn(offset);
                        }

                        request.Followed = trail is null ? null : new FollowedRedirection(known, endpoint, isLasting);
                        feature.Learn();
                        request.ChecksumNotRequested = request.WantsChecksum && !isUsed ? _profile.ChecksumNotRequested : null;
                        return response;
                    }

                    failure = error;
                }
                catch (Exception e) when (e is not WireException)
                {
                    if (response is null && e is HttpRequestException or SocketException)
                    {
                        _endpoints.Forget(bucket, known);
                    }

                    response?.Dispose();
                    throw Translate(e, cancellationToken);
                }

                DateTimeOffset? storeTime = HttpTime.OfStore(response.Headers.Date);
                response.Dispose();
                if (offset != clock && !StoreClock.IsOfClock(failure, storeTime - now))
                {
                    _clock.Learn(offset); // the signature isn't the reason
                }

                if (failure.Elsewhere is { } redirection && await FollowAsync(endpoint, bucket, request.Key, redirection, failure, credentials, cancellationToken).ConfigureAwait(false) is { } next)
                {
                    trail ??= new RedirectHistory(endpoint, _endpoints);
                    endpoint = next;
                    trail.Add(endpoint, failure);
                    isLasting &= redirection.IsLasting;
                }
                else if (!mended && _clock.Correct(failure, now, offset, storeTime) is { } corrected)
                {
                    offset = corrected;
                    mended = true;
                }
                else if (!mended && await TryRenewAsync(failure, storeTime ?? now, credentials, cancellationToken).ConfigureAwait(false))
                {
                    mended = true;
                }
                else if (feature.TryWithout(failure))
                {
                    continue;
                }
                else if (MayBeOfAnotherRegion(failure, request, bucket) && await LocateAsync(endpoint, bucket, request.Key, credentials, cancellationToken).ConfigureAwait(false) is { } located)
                {
                    trail ??= new RedirectHistory(endpoint, _endpoints);
                    endpoint = located;
                    trail.Add(endpoint, failure);
                    feature = NewNegotiation(request); // the region was the reason
                }
                else
                {
                    throw feature.GetCause(failure);
                }
            }
        }
        catch (WireException e) when (Explain(e, bucket, owner, request, known, endpoint))
        {
            throw; // never, because the filter lets every error pass
        }
    }

    private FeatureNegotiation NewNegotiation(SignedRequest request) => new(_profile, request.Body is null ? StoreTrait.ChecksumMode : StoreTrait.UnsignedBodies);

    private bool CanBeUnsigned(SignedRequest request, StoreEndpoint endpoint, ImmutableCredentials? credentials)
        => _signing == PayloadSigning.Auto && endpoint.KeepsBodiesWhole && credentials is not null && !request.SignsBody;

    private async ValueTask<bool> TryRenewAsync(WireException failure, DateTimeOffset now, ImmutableCredentials? credentials, CancellationToken cancellationToken)
    {
        // The error of a HEAD request has no code. Credentials that are valid by their own expiration time aren't the reason.
        bool isProven = failure.ErrorCode is "ExpiredToken" or "ExpiredTokenException";
        bool isPossible = failure is { ErrorCode: null, StatusCode: HttpStatusCode.BadRequest } && credentials?.Token is { Length: > 0 };
        return credentials is not null
            && (isProven || isPossible)
            && await _credentials.TryRenewAsync(credentials, isProven, now, cancellationToken).ConfigureAwait(false);
    }

    private WireException Translate(Exception e, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return e switch
        {
            HttpRequestException http => ErrorKinds.OfConnection(http),
            OperationCanceledException { InnerException: TimeoutException } when !_transport.IsOfFactory => new WireException(
                FailureKind.Transient, "could not connect to the endpoint: it did not respond in time", e)
            {
                IsOfConnecting = true, // our handler has no other timeout
            },
            OperationCanceledException { InnerException: TimeoutException } => new WireException(FailureKind.Transient, "the request took longer than the HttpClient's Timeout", e),
            OperationCanceledException => new WireException(FailureKind.Transient, "the request timed out", e),

            // A SocketException is thrown directly if the store closes a connection at the moment when it is established.
            IOException or SocketException => new WireException(FailureKind.Transient, $"the connection was closed unexpectedly: {e.Message}", e),
            _ => new WireException(FailureKind.Final, e.Message, e),
        };
    }
}
