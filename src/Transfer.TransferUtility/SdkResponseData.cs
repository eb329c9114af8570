using Amazon.Runtime.Internal.Transform;

namespace Transfer.S3.TransferUtility;

/// <summary>A response without its body, in the form that the AWS SDK's own response parser reads.</summary>
internal sealed class SdkResponseData(HttpResponseMessage answer) : IWebResponseData
{
    public long ContentLength => answer.Content.Headers.ContentLength ?? 0;

    public string ContentType => GetHeaderValue("Content-Type");

    public System.Net.HttpStatusCode StatusCode => answer.StatusCode;

    public bool IsSuccessStatusCode => answer.IsSuccessStatusCode;

    public IHttpResponseBody ResponseBody => throw new NotSupportedException("Only the transfer reads the body.");

    public string[] GetHeaderNames() => [.. answer.Headers.NonValidated.Concat(answer.Content.Headers.NonValidated).Select(header => header.Key)];

    public bool IsHeaderPresent(string headerName) => answer.Headers.NonValidated.Contains(headerName) || answer.Content.Headers.NonValidated.Contains(headerName);

    public bool IsEventHeaderPresent(string headerName) => false;

    public Amazon.Runtime.EventStreams.IEventStreamHeader? GetEventStreamHeader(string headerName) => null;

    public string GetHeaderValue(string headerName)
        => answer.Headers.NonValidated.TryGetValues(headerName, out System.Net.Http.Headers.HeaderStringValues values)
            || answer.Content.Headers.NonValidated.TryGetValues(headerName, out values)
            ? values.ToString()
            : string.Empty;
}
