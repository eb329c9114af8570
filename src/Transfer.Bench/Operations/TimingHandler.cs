namespace Transfer.S3.Bench.Operations;

/// <summary>Measures the requests of an SDK client as the library measures its own: to the response headers, and to the end of the content.</summary>
/// <param name="inner">The handler that sends the requests.</param>
/// <param name="observer">Called after each request.</param>
/// <param name="retried">Called for each retry.</param>
/// <param name="time">The clock.</param>
internal sealed class TimingHandler(HttpMessageHandler inner, Action<RequestTiming> observer, Action retried, TimeProvider time) : DelegatingHandler(inner)
{
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        RequestKind kind = GetKind(request.Method, request.RequestUri!.Query);
        if (request.Headers.TryGetValues("amz-sdk-request", out IEnumerable<string>? attempt) && !attempt.First().StartsWith("attempt=1;", StringComparison.Ordinal))
        {
            retried();
        }

        long sent = time.GetTimestamp();
        HttpResponseMessage response;
        try
        {
            response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Tell(0, e);
            throw;
        }

        if (!response.IsSuccessStatusCode)
        {
            Tell(0, new HttpRequestException(null, null, response.StatusCode));
        }
        else if (kind == RequestKind.GetObject)
        {
            TimeSpan firstByte = time.GetElapsedTime(sent);
            response.Content = new TimedContent(response.Content, (bytes, error) => observer(new RequestTiming { Kind = kind, FirstByte = firstByte, Duration = time.GetElapsedTime(sent), Bytes = bytes, Error = error }));
        }
        else
        {
            Tell(request.Content?.Headers.ContentLength ?? 0, null);
        }

        return response;

        void Tell(long bytes, Exception? error)
        {
            TimeSpan elapsed = time.GetElapsedTime(sent);
            observer(new RequestTiming { Kind = kind, FirstByte = elapsed, Duration = elapsed, Bytes = bytes, Error = error });
        }
    }

    /// <summary>Gets the kind of a request. Only the kinds that the operations use are distinguished.</summary>
    internal static RequestKind GetKind(HttpMethod method, string query) => (method.Method, query) switch
    {
        ("HEAD", _) => RequestKind.HeadObject,
        ("GET", _) when query.Contains("attributes", StringComparison.Ordinal) => RequestKind.GetObjectAttributes,
        ("GET", _) => RequestKind.GetObject,
        ("PUT", _) when query.Contains("partNumber=", StringComparison.Ordinal) => RequestKind.UploadPart,
        ("PUT", _) => RequestKind.PutObject,
        ("DELETE", _) => RequestKind.AbortMultipartUpload,
        (_, _) when query.Contains("uploadId=", StringComparison.Ordinal) => RequestKind.CompleteMultipartUpload,
        _ => RequestKind.CreateMultipartUpload,
    };
}
