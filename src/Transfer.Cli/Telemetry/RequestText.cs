using System.Globalization;
using System.Net;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>Describes requests for the log, each on one line. Neither addresses nor headers are shown, because they can contain secrets.</summary>
internal static class RequestText
{
    /// <summary>"GetObject: 206, 8 MiB in 35 ms (first byte after 12 ms), attempt 1, request id 4442587FB7D0A2F9".</summary>
    public static string Format(in RequestTiming timing)
    {
        string status = timing switch
        {
            { Error: OperationCanceledException } => "canceled",
            { StatusCode: { } code } when timing.Error is null || (int)code >= (int)HttpStatusCode.MultipleChoices => ((int)code).ToString(CultureInfo.InvariantCulture),
            { StatusCode: { } code } => string.Create(CultureInfo.InvariantCulture, $"{(int)code}, failed"),
            { Error: null } => "done",
            _ => "failed",
        };
        string bytes = timing.Bytes > 0 ? $", {ByteSize.Format(timing.Bytes)}" : string.Empty;
        string first = timing.FirstByte < timing.Duration && timing.Bytes > 0 ? $" (first byte after {Units.Duration(timing.FirstByte)})" : string.Empty;
        string id = string.IsNullOrEmpty(timing.RequestId) ? string.Empty : $", request id {timing.RequestId}";
        string error = timing.Error is null or OperationCanceledException ? string.Empty : $": {timing.Error.Message}";
        return string.Create(CultureInfo.InvariantCulture, $"{timing.Kind}: {status}{bytes} in {Units.Duration(timing.Duration)}{first}, attempt {timing.Attempt}{id}{error}");
    }
}
