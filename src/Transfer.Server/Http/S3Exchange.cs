using System.IO.Pipelines;
using System.Xml;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Transfer.S3.Server.Acls;
using Transfer.S3.Server.Cors;
using Transfer.S3.Server.Faults;
using Transfer.S3.Server.Shaping;
using Transfer.S3.Server.Signing;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>A request and its response.</summary>
internal sealed class S3Exchange
{
    private bool _recorded;

    public S3Exchange(ServerContext server, HttpContext http)
    {
        Server = server;
        Http = http;
        RequestId = server.NextRequestId();
        Pacing = http.Features.GetRequiredFeature<ConnectionPacing>();
        IHeaderDictionary headers = http.Response.Headers;
        headers["x-amz-request-id"] = RequestId;
        headers["x-amz-id-2"] = server.HostId;
        if (!ReferenceEquals(server.Options.Time, TimeProvider.System))
        {
            headers.Date = HttpDate.Format(server.Options.Time.GetUtcNow()); // clients correct their clock by this header
        }
    }

    public ServerContext Server { get; }

    public HttpContext Http { get; }

    public string RequestId { get; }

    public RequestTarget Target { get; private set; } = new("/", QueryParameters.Parse([]), Bucket: null, Key: null);

    public S3Operation Operation { get; private set; }

    public VerifiedSignature? Signature { get; private set; }

    public PayloadHash Payload { get; private set; } = PayloadHash.Unsigned;

    public ConnectionPacing Pacing { get; }

    /// <summary>Gets or sets the fault that affects this request; null if there is none.</summary>
    public RequestFault? Fault { get; set; }

    /// <summary>Gets or sets a value that indicates whether reading of the body has begun. Kestrel sends 100 Continue when it does.</summary>
    public bool HasBodyBegun { get; set; }

    public string Method => Http.Request.Method;

    public bool IsHead => HttpMethods.IsHead(Method);

    /// <summary>Gets the part number in the request, valid or not; null if there is none.</summary>
    public int? PartNumber => int.TryParse(Target.Query["partNumber"], out int number) ? number : null;

    public CancellationToken Aborted => Http.RequestAborted;

    /// <summary>Gets the bucket of the request; throws an S3 error if it doesn't exist.</summary>
    public Bucket Bucket => Server.Catalog.Bucket(Target.Bucket!);

    /// <summary>Gets the key of the request. Only operations on objects use it.</summary>
    public string Key => Target.Key!;

    public string? Header(string name)
    {
        StringValues values = Http.Request.Headers[name];
        return values.Count == 0 ? null : values.ToString();
    }

    /// <summary>Determines the operation. The request is counted here, before anything after this call can fail.</summary>
    public void Identify()
    {
        string rawTarget = Http.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget;
        try
        {
            Target = RequestTarget.Parse(rawTarget, Http.Request.Host.Value ?? string.Empty);
            CorsHeaders.Write(this);
            Operation = OperationRouter.Resolve(Method, Target, Http.Request.Headers);
        }
        finally
        {
            Server.Statistics.CountRequest(Operation);
        }
    }

    /// <summary>Sets the key, which a form has among its fields.</summary>
    public void SelectKey(string key)
    {
        OperationRouter.CheckKey(key);
        Target = Target with { Key = key };
    }

    /// <summary>Removes a header or a parameter that has no effect. It is called after the signature, which contains them, was verified.</summary>
    public void Omit(string? header, string? parameter)
    {
        if (header is not null)
        {
            Http.Request.Headers.Remove(header);
        }

        if (parameter is not null)
        {
            Target = Target with { Query = Target.Query.Without(parameter) };
            Operation = OperationRouter.Resolve(Method, Target, Http.Request.Headers);
        }
    }

    public void Authenticate()
    {
        TimeSpan skew = Server.Faults?.ClockSkew ?? TimeSpan.Zero;
        if (skew != TimeSpan.Zero)
        {
            Http.Response.Headers.Date = HttpDate.Format(Server.Options.Time.GetUtcNow() + skew);
        }

        if (PublicAccess.Allows(this))
        {
            Payload = SignatureVerifier.AnonymousPayload(Header(PayloadHash.HeaderName));
            return;
        }

        (Signature, Payload) = Server.Verifier.Verify(Method, Target, Http.Request.Headers, skew);
    }

    /// <summary>Begins the response: adds it to the log and waits for the configured delay. Headers can be set until this method returns.</summary>
    public ValueTask BeginAnswerAsync(int status, string? errorCode = null)
    {
        Fault?.ThrowIfReplyIsLost();
        Http.Response.StatusCode = status;
        if (!HasBodyBegun && Http.Request.Headers.Expect.Count > 0)
        {
            // If the client sent Expect and the body was never read, no 100 Continue was sent. Some clients (botocore) then take the next response on
            // the connection for headers of this one, so the connection must be closed.
            Http.Response.Headers.Connection = "close";
        }

        Record(status, errorCode);
        TimeSpan delay = Server.Shaping.FirstByteDelay;
        return delay > TimeSpan.Zero ? new ValueTask(Task.Delay(delay, Server.Options.Time, Aborted)) : ValueTask.CompletedTask;
    }

    /// <summary>Sends a response without a body.</summary>
    public async Task AnswerAsync(int status)
    {
        await BeginAnswerAsync(status).ConfigureAwait(false);
        if (status != StatusCodes.Status204NoContent && status != StatusCodes.Status304NotModified)
        {
            Http.Response.ContentLength = 0;
        }
    }

    /// <summary>Sends a response with an XML document in the S3 namespace.</summary>
    public Task AnswerXmlAsync(string root, Action<XmlWriter> content) =>
        AnswerXmlAsync(StatusCodes.Status200OK, errorCode: null, XmlResponse.Document(root, withNamespace: true, content));

    public async Task AnswerXmlAsync(int status, string? errorCode, ReadOnlyMemory<byte> document)
    {
        await BeginAnswerAsync(status, errorCode).ConfigureAwait(false);
        Http.Response.ContentType = "application/xml";
        Http.Response.ContentLength = document.Length;
        if (!IsHead)
        {
            await SendAsync(document).ConfigureAwait(false);
        }
    }

    /// <summary>Sends bytes of the response body.</summary>
    public ValueTask<FlushResult> SendAsync(ReadOnlyMemory<byte> bytes)
    {
        Server.Statistics.AddSent(bytes.Length);
        return Fault is null ? Http.Response.BodyWriter.WriteAsync(bytes, Aborted) : Fault.SendAsync(bytes);
    }

    /// <summary>Adds the request to the log, once. The status is 0 if no response was begun.</summary>
    public void Record(int status, string? errorCode)
    {
        if (_recorded)
        {
            return;
        }

        _recorded = true;
        Server.Requests.Add(new RequestRecord
        {
            Operation = Operation.ToString(),
            Method = Method,
            Bucket = Target.Bucket,
            Key = Target.Key,
            PartNumber = PartNumber,
            Range = Header("range"),
            StatusCode = status,
            ErrorCode = errorCode,
            RequestId = RequestId,
            ConnectionId = Http.Connection.Id,
        });
        Log.RequestAnswered(Server.Logger, Operation, Method, Target.Bucket, Target.Key, status, errorCode, RequestId);
    }
}
