using System.IO.Pipelines;
using System.Xml;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Transfer.Server.Faults;
using Transfer.Server.Shaping;
using Transfer.Server.Signing;
using Transfer.Server.Storage;

namespace Transfer.Server.Http;

/// <summary>One request and its answer.</summary>
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
            headers.Date = HttpDate.Format(server.Options.Time.GetUtcNow()); // clients set their clock by it
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

    /// <summary>What is to go wrong with this request; null but in servers that were asked to fail.</summary>
    public RequestFault? Fault { get; set; }

    /// <summary>Whether reading the body has begun, with which a client that waits for it is told to go on.</summary>
    public bool HasBodyBegun { get; set; }

    public string Method => Http.Request.Method;

    public bool IsHead => HttpMethods.IsHead(Method);

    /// <summary>The part number that the request names, right or wrong; null when it names none.</summary>
    public int? PartNumber => int.TryParse(Target.Query["partNumber"], out int number) ? number : null;

    public CancellationToken Aborted => Http.RequestAborted;

    /// <summary>The bucket that the request names; an S3 error when there is none.</summary>
    public Bucket Bucket => Server.Catalog.Bucket(Target.Bucket!);

    /// <summary>The key that the request names. Only operations on objects ask for it.</summary>
    public string Key => Target.Key!;

    public string? Header(string name)
    {
        StringValues values = Http.Request.Headers[name];
        return values.Count == 0 ? null : values.ToString();
    }

    /// <summary>Finds out what is asked for. Counted here, before anything can fail behind it.</summary>
    public void Identify()
    {
        string rawTarget = Http.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget;
        try
        {
            Target = RequestTarget.Parse(rawTarget, Http.Request.Host.Value ?? string.Empty);
            Operation = OperationRouter.Resolve(Method, Target, Http.Request.Headers);
        }
        finally
        {
            Server.Statistics.CountRequest(Operation);
        }
    }

    public void Authenticate()
    {
        TimeSpan skew = Server.Faults?.ClockSkew ?? TimeSpan.Zero;
        if (skew != TimeSpan.Zero)
        {
            Http.Response.Headers.Date = HttpDate.Format(Server.Options.Time.GetUtcNow() + skew);
        }

        (Signature, Payload) = Server.Verifier.Verify(Method, Target, Http.Request.Headers, skew);
    }

    /// <summary>Begins the answer: notes it in the log and waits as long as the options ask for. Headers may be set until it returns.</summary>
    public ValueTask BeginAnswerAsync(int status, string? errorCode = null)
    {
        Fault?.ThrowIfReplyIsLost();
        Http.Response.StatusCode = status;
        if (!HasBodyBegun && Http.Request.Headers.Expect.Count > 0)
        {
            // A client that asked to be told to go on and never was, be it that there is no body, has to be rid of the connection: some
            // (botocore) take the next answer on it for headers of this one.
            Http.Response.Headers.Connection = "close";
        }

        Record(status, errorCode);
        TimeSpan delay = Server.Shaping.FirstByteDelay;
        return delay > TimeSpan.Zero ? new ValueTask(Task.Delay(delay, Server.Options.Time, Aborted)) : ValueTask.CompletedTask;
    }

    /// <summary>Answers without a body.</summary>
    public async Task AnswerAsync(int status)
    {
        await BeginAnswerAsync(status).ConfigureAwait(false);
        if (status != StatusCodes.Status204NoContent && status != StatusCodes.Status304NotModified)
        {
            Http.Response.ContentLength = 0;
        }
    }

    /// <summary>Answers with a document in S3's namespace.</summary>
    public Task AnswerXmlAsync(string root, Action<XmlWriter> content) =>
        AnswerXmlAsync(StatusCodes.Status200OK, errorCode: null, XmlAnswer.Document(root, withNamespace: true, content));

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

    /// <summary>Sends bytes of the answer's body.</summary>
    public ValueTask<FlushResult> SendAsync(ReadOnlyMemory<byte> bytes)
    {
        Server.Statistics.AddSent(bytes.Length);
        return Fault is null ? Http.Response.BodyWriter.WriteAsync(bytes, Aborted) : Fault.SendAsync(bytes);
    }

    /// <summary>Notes the request in the log, once; status 0 when no answer was begun.</summary>
    public void Record(int status, string? errorCode)
    {
        if (_recorded)
        {
            return;
        }

        _recorded = true;
        Server.Requests.Add(new RequestRecord(
            Operation.ToString(),
            Method,
            Target.Bucket,
            Target.Key,
            PartNumber,
            Header("range"),
            status,
            errorCode,
            RequestId,
            Http.Connection.Id));
        Log.RequestAnswered(Server.Logger, Operation, Method, Target.Bucket, Target.Key, status, errorCode, RequestId);
    }
}
