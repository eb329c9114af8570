using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Wire.Sdk;

/// <summary>
/// Rejects redirections and responses that the library's own wire would reject. The SDK follows them to any host whose name looks like one of S3, with the session token and the
/// customer key. It has no setting for that, so this handler is put in front of its connections. It looks only at requests of the library.
/// </summary>
internal sealed class SdkRedirectGuard(StoreEndpoints store) : PipelineHandler
{
    private const string Mark = "Transfer.S3.Wire.FirstPlace";
    private static readonly Lock Gate = new();
    private static readonly ConditionalWeakTable<AmazonServiceClient, SdkRedirectGuard> Installed = [];

    /// <summary>Installs the guard in a client, unless it has one. A mock or a decorator has no handlers.</summary>
    /// <exception cref="NotSupportedException">Thrown when the SDK doesn't give access to the handlers.</exception>
    public static void Install(IAmazonS3 s3)
    {
        if (s3 is not AmazonS3Client client)
        {
            return;
        }

        lock (Gate)
        {
            if (Installed.TryGetValue(client, out _))
            {
                return;
            }

            RuntimePipeline pipeline = SdkMembers.GetPipeline(client);
            SdkRedirectGuard guard = new(new StoreEndpoints(client));
            Installed.Add(client, guard);
            if (pipeline.Handlers.Find(static handler => handler is RedirectHandler) is { InnerHandler: { } connections } redirects)
            {
                // The client can be in use, so the last assignment makes the handler visible.
                guard.InnerHandler = connections;
                guard.OuterHandler = redirects;
                connections.OuterHandler = guard;
                redirects.InnerHandler = guard;
            }
        }
    }

    /// <summary>Marks a request of the library.</summary>
    public static T Watch<T>(T request)
        where T : IAmazonWebServiceRequest
    {
        request.RequestState[Mark] = string.Empty;
        return request;
    }

    public override async Task<T> InvokeAsync<T>(IExecutionContext executionContext)
    {
        if (!Check(executionContext.RequestContext))
        {
            return await base.InvokeAsync<T>(executionContext).ConfigureAwait(false);
        }

        T result;
        try
        {
            result = await base.InvokeAsync<T>(executionContext).ConfigureAwait(false);
        }
        catch (HttpErrorResponseException e) when (e.Response is { } error)
        {
            if ((int)error.StatusCode is > 0 and < 200)
            {
                // The SDK would read what follows as the body of the error, and it has no end.
                error.ResponseBody?.Dispose();
                throw HttpErrors.OfOtherProtocol(error.StatusCode);
            }

            throw new HttpErrorResponseException(new SdkDocument(error));
        }

        if (executionContext.ResponseContext.HttpResponse is { } response)
        {
            string method = executionContext.RequestContext.Request.HttpMethod;
            bool isOfObject = executionContext.RequestContext.OriginalRequest is GetObjectRequest;
            StoreResponse origin = new(response.StatusCode, response.GetHeaderValue("x-amz-request-id"), null, IsOfStore: false);
            WireException? failure = response.IsSuccessStatusCode && !StoreResponse.Fits(response.StatusCode, method is "GET" or "HEAD") ? origin.OfOtherStatus()
                : response.ContentLength == 0 && method == "GET" && !isOfObject ? origin.NotOfStore("the response is empty") // the SDK would read an empty list from it
                : null;
            if (failure is not null)
            {
                response.ResponseBody?.Dispose();
                throw failure;
            }

            if (!isOfObject)
            {
                executionContext.ResponseContext.HttpResponse = new SdkDocument(response);
            }
        }

        return result;
    }

    public override void InvokeSync(IExecutionContext executionContext)
    {
        Check(executionContext.RequestContext);
        base.InvokeSync(executionContext);
    }

    /// <returns>Whether it is a request of the library.</returns>
    /// <exception cref="WireException">Thrown when the request was redirected to a host that doesn't belong to the store.</exception>
    private bool Check(IRequestContext context)
    {
        if (context.OriginalRequest is not IAmazonWebServiceRequest request || !request.RequestState.TryGetValue(Mark, out object? first))
        {
            return false;
        }

        SdkClock.Watch(request, context.Request.Endpoint.ToString());
        StoreEndpoint next = StoreEndpoint.At(context.Request.Endpoint, "/", string.Empty);
        if (RequestTrace.Current is { } trace)
        {
            trace.Sent(next, store.GetAwsRegion(next, context.Request.AuthenticationRegion ?? context.Request.DeterminedSigningRegion ?? context.ClientConfig.RegionEndpoint?.SystemName));
        }

        if (first is not StoreEndpoint place)
        {
            request.RequestState[Mark] = next; // it comes from the configuration of the client
        }
        else if (next.Origin != place.Origin && RedirectHistory.Refusal(place, next, store) is { } message)
        {
            throw new WireException(FailureKind.Final, message);
        }

        return true;
    }
}
