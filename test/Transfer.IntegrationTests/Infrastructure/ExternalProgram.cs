using System.Diagnostics;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Runs a program that is installed on the machine until it exits.</summary>
internal static class ExternalProgram
{
    public static Task RunAsync(string program, IReadOnlyDictionary<string, string> environment, params string[] arguments)
        => RunAsync(program, environment, Deadline.Longest, arguments);

    public static Task RunAsync(string program, IReadOnlyDictionary<string, string> environment, TimeSpan deadline, params string[] arguments)
        => RunInAsync(Environment.CurrentDirectory, program, environment, deadline, arguments);

    /// <summary>Runs it in this directory.</summary>
    /// <returns>What it wrote to standard output.</returns>
    public static async Task<string> RunInAsync(
        string directory, string program, IReadOnlyDictionary<string, string> environment, TimeSpan deadline, params string[] arguments)
    {
        var start = new ProcessStartInfo(program) { WorkingDirectory = directory, UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (string inherited in start.Environment.Keys.Where(static name => name.StartsWith("AWS_", StringComparison.Ordinal)).ToArray())
        {
            start.Environment.Remove(inherited); // the configuration of the machine must not affect the test
        }

        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        using Process process = Process.Start(start)!;
        try
        {
            Task<string> output = process.StandardOutput.ReadToEndAsync();
            string error = await process.StandardError.ReadToEndAsync().WaitAsync(deadline);
            await process.WaitForExitAsync().WaitAsync(deadline);
            Assert.True(process.ExitCode == 0, $"{program} {string.Join(' ', arguments)} exited with code {process.ExitCode}:\n{await output}\n{error}");
            return await output;
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
