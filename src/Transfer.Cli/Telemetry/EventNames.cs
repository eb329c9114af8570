namespace Transfer.S3.Cli.Telemetry;

/// <summary>The names of the events of --events.</summary>
internal static class EventNames
{
    public const string CommandStarted = "command_started";
    public const string CommandCompleted = "command_completed";
    public const string TransferStarted = "transfer_started";
    public const string TransferCompleted = "transfer_completed";
    public const string TransferFailed = "transfer_failed";
    public const string RequestCompleted = "request_completed";
    public const string RequestFailed = "request_failed";
    public const string RequestRetried = "request_retried";
    public const string RequestHedged = "request_hedged";
    public const string EventsDropped = "events_dropped";
}
