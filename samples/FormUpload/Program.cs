using Amazon.S3;
using FormUpload;
using Microsoft.AspNetCore.Mvc;
using Samples;
using Transfer.S3;

const string Page = """
    <!doctype html>
    <title>Upload</title>
    <form action="/files" method="post" enctype="multipart/form-data">
      <input type="file" name="file" multiple required>
      <button>Upload</button>
    </form>
    """;

await using SampleStore store = await SampleStore.OpenAsync();

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton<IAmazonS3>(store.S3);
builder.Services.AddTransfer(builder.Configuration.GetSection("Transfer"));
builder.Services.AddSingleton(services => new FileForm(services.GetRequiredService<ITransferClient>(), store.Bucket, services.GetRequiredService<ILogger<FileForm>>()));
builder.Services.AddProblemDetails();
builder.Services.AddExceptionHandler<FormExceptionHandler>();

await using WebApplication app = builder.Build();
app.UseExceptionHandler();
app.MapGet("/", () => Results.Content(Page, "text/html; charset=utf-8"));

// The endpoint takes the request, and not an IFormFile: ASP.NET Core would write the form to memory and to the disk before it calls the endpoint.
app.MapPost("/files", async (HttpRequest request, FileForm form) => Results.Json(await form.StoreAsync(request), statusCode: StatusCodes.Status201Created))
    .WithMetadata(new RequestSizeLimitAttribute(ByteSize.Parse(builder.Configuration["MaxFormSize"] ?? "5GiB"))); // Kestrel's limit of 30 MB would be too small

await app.RunAsync();
