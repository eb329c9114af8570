namespace Transfer.S3.Testing;

/// <summary>A test that doesn't run on Windows.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class UnixFactAttribute : FactAttribute
{
    public UnixFactAttribute()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip = "Requires Linux or macOS: Windows has neither mode bits nor a limit for unsent bytes.";
        }
    }
}
