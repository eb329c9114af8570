namespace Transfer.S3.Cli.Tracing;

/// <summary>The times of a request, in milliseconds.</summary>
internal sealed record HarTimings(double Send, double Wait, double Receive);
